// Looks again and again where a room stands, and has a part of the page drawn anew once that is not what it shows.
const PATIENCE = 5000; // milliseconds until a drawing that was asked for is asked for again
const latest = new WeakMap(); // the data of the latest drawing, by element: a drawing does not end what the one before began

export default function ({ data, parentElement, setTriggerValue }) {
  const drawn = performance.now();
  latest.set(parentElement, data);
  const hasMoved = ([revision, ...counts]) =>
    revision !== data.seen[0] ||
    (data.seen.slice(1).some((count, place) => count !== counts[place]) && performance.now() - drawn >= data.draws);
  const look = async () => {
    let pause = data.looks;
    try {
      const answer = await fetch(data.path);
      const standing = answer.ok ? (await answer.text()).split(" ") : data.seen;
      if (latest.get(parentElement) !== data) return;
      if (hasMoved(standing)) {
        setTriggerValue("moved", true);
        pause = PATIENCE;
      }
    } catch {} // the server is away; it is asked again
    if (latest.get(parentElement) === data) setTimeout(look, pause);
  };
  setTimeout(look, data.looks);
  return () => latest.delete(parentElement);
}
