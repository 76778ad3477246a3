// Saves the chart of a figure as a picture: its title above, below what it says and its source, in the fonts and colours
// of the page.
const SPACE = "http://www.w3.org/2000/svg";
const EDGE = 20, TITLE = 22, SOURCE = 13, LEADING = 1.35;
const LEAST = 2000; // pixels across: legible on a slide, from a phone too

export default function ({ parentElement, data }) {
  for (const button of parentElement.querySelectorAll("button")) {
    button.setAttribute("aria-label", `Picture as ${button.dataset.kind.toUpperCase()}: ${data.figure}`);
    button.onclick = () => save(button.dataset.kind, data);
  }
}

async function save(kind, { name, title, below }) {
  const chart = document.querySelector(`.st-key-figure-${CSS.escape(name)} .js-plotly-plot`);
  const picture = compose(chart, title, below.filter(Boolean));
  picture.prepend(await fonts(picture));
  const text = new XMLSerializer().serializeToString(picture);
  const drawn = new Blob([text], { type: "image/svg+xml" });
  offer(kind === "svg" ? drawn : await paint(drawn, picture), `${name}.${kind}`);
}

function compose(chart, title, below) {
  const { width, height } = chart.querySelector(".main-svg").getBoundingClientRect();
  const page = getComputedStyle(document.querySelector(".stApp"));
  const heading = getComputedStyle(document.querySelector(".stMain h1"));
  const across = width + 2 * EDGE;
  const named = lines(title, `600 ${TITLE}px ${heading.fontFamily}`, width);
  const told = below.flatMap((text) => lines(text, `${SOURCE}px ${page.fontFamily}`, width));
  const top = EDGE + named.length * TITLE * LEADING;
  const tall = top + height + told.length * SOURCE * LEADING + EDGE;
  const picture = element("svg", { xmlns: SPACE, "text-rendering": "geometricPrecision", width: across, height: tall, viewBox: `0 0 ${across} ${tall}` });
  picture.append(element("rect", { width: across, height: tall, fill: page.backgroundColor }));
  const write = (line, y, size, family, weight) => {
    const look = { x: EDGE, y, fill: page.color, "font-size": size, "font-family": family, "font-weight": weight };
    picture.append(element("text", look, line));
  };
  named.forEach((line, row) => write(line, EDGE + (row + 0.8) * TITLE * LEADING, TITLE, heading.fontFamily, 600));
  for (const layer of chart.querySelectorAll(".main-svg")) {
    const copy = layer.cloneNode(true);
    copy.querySelectorAll(".hoverlayer, .draglayer").forEach((part) => part.remove());
    copy.querySelectorAll("[style*=vector-effect]").forEach(({ style }) => style.removeProperty("vector-effect"));
    copy.setAttribute("x", EDGE);
    copy.setAttribute("y", top);
    copy.style.background = "none";
    picture.append(copy);
  }
  told.forEach((line, row) => write(line, top + height + (row + 0.9) * SOURCE * LEADING, SOURCE, page.fontFamily, 400));
  return picture;
}

function element(name, attributes, text = "") {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function lines(text, font, width) {
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = font;
  return text.split(" ").reduce((made, word) => {
    const longer = made.length ? `${made.at(-1)} ${word}` : word;
    if (made.length && ruler.measureText(longer).width <= width) made[made.length - 1] = longer;
    else made.push(word);
    return made;
  }, []);
}

// A picture cannot read the fonts of the page: those that it uses travel in it.
async function fonts(picture) {
  const used = new XMLSerializer().serializeToString(picture);
  const faces = [...document.styleSheets].flatMap(rules).filter((rule) => rule instanceof CSSFontFaceRule);
  const wanted = faces.filter(({ style }) => {
    const family = style.getPropertyValue("font-family").replace(/["']/g, "");
    return used.includes(family) && style.getPropertyValue("font-style") !== "italic";
  });
  const written = await Promise.all(wanted.map(inlined));
  return element("style", {}, written.join("\n"));
}

function rules(sheet) {
  try {
    return [...sheet.cssRules];
  } catch {
    return []; // of another origin
  }
}

async function inlined(rule) {
  const [, place] = rule.style.getPropertyValue("src").match(/url\(["']?([^"')]+)/);
  const file = await (await fetch(new URL(place, rule.parentStyleSheet.href ?? location.href))).blob();
  const address = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(file);
  });
  return rule.cssText.replace(/url\(["']?[^"')]+["']?\)/, `url("${address}")`);
}

async function paint(drawn, picture) {
  const [width, height] = ["width", "height"].map((side) => Number(picture.getAttribute(side)));
  const scale = Math.max(2, LEAST / width);
  const image = new Image();
  image.src = URL.createObjectURL(drawn);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function offer(content, file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
