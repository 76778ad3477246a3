"""How good translations are pass by pass: of pairs that were trained on, of new ones and of foreign ones."""

import pandas as pd
import plotly.graph_objects as go

from core.games.translation_membership.split import WATERMARKS
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import counted

TITLE = "What the translations are worth"
_LINES = {
    "trained": ("pairs it was trained on", theme.Mark(theme.MEMBER, "circle", "solid")),
    "new": ("new pairs of the same subcorpora", theme.Mark(theme.NONMEMBER, "square", "dash")),
    "foreign": ("pairs of foreign subcorpora", theme.Mark(theme.THIRD, "triangle-up", "dot")),
}


def means(quality: pd.DataFrame, bleu: pd.DataFrame) -> pd.DataFrame:
    """Return the mean BLEU over subcorpora by passes and kind of pair, without watermarks.

    Args:
        quality: As the game declares it.
        bleu: As the game declares it; tells the subcorpora's roles.
    """
    roles = dict(zip(bleu["corpus"], bleu["role"], strict=True))
    own = quality[quality["corpus"] != WATERMARKS]
    kind = own["member"].map({True: "trained", False: "new"}).where(own["corpus"].map(roles) != "foreign", "foreign")
    found = own.assign(kind=kind).groupby(["passes", "kind"], sort=True)
    return found["corpus_bleu"].agg(["mean", "min", "max", "size"]).reset_index()


def figure(means: pd.DataFrame) -> go.Figure:
    """Draw a line for each kind of pair over the range of its subcorpora."""
    drawing = theme.blank("Passes of training", "BLEU, 0 to 100", height=560, legend=True)
    if means.empty:
        return theme.empty(drawing, "Translations were not looked at before the last pass.")
    drawing.update_layout(margin={"t": theme.TOP + 24 * 4}, legend={"orientation": "v", "y": 1.01, "yref": "paper"})
    passes = sorted({int(number) for number in means["passes"]})
    at = {number: place for place, number in enumerate(passes)}
    drawing.update_xaxes(
        tickmode="array",
        tickvals=list(at.values()),
        range=[-0.5, len(at) - 0.5],
        showgrid=False,
        ticktext=[str(number) if number else "never<br>trained" for number in at],
    )
    drawing.update_yaxes(range=[-1.5, max(float(means["max"].max()) * 1.06, 5)])
    for kind, (name, mark) in _LINES.items():
        own = means[means["kind"] == kind]
        if own.empty:
            continue
        x = [at[int(number)] for number in own["passes"]]
        drawing.add_scatter(
            x=[*x, *x[::-1]],
            y=[*own["max"], *own["min"][::-1]],
            fill="toself",
            mode="none",
            hoverinfo="skip",
            fillcolor=theme.veil(mark.colour, 0x22),
            showlegend=False,
        )
        drawing.add_scatter(
            x=x,
            y=values(own["mean"]),
            mode="lines+markers",
            name=name,
            line={"color": mark.colour, "width": 3, "dash": mark.dash},
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 9},
            text=[
                f"<b>{name}</b>, {counted(int(row.passes), 'pass', 'passes')}<br>BLEU {row.mean:.1f}, by subcorpus "
                f"{row.min:.1f} to {row.max:.1f}"
                for row in records(own.rename(columns={"size": "several"}))
            ],
        )
    return drawing.figure()


def sentence(means: pd.DataFrame) -> str:
    """Say when new pairs were translated best, what came after, and how far trained pairs went on."""
    new = records(means[means["kind"] == "new"])
    trained = {int(row.passes): row.mean for row in records(means[means["kind"] == "trained"])}
    if not new or not trained:
        return "Translations were not looked at before the last pass."
    last, best = new[-1], max(new, key=lambda row: row.mean)
    text = (
        f"After {counted(int(last.passes), 'pass', 'passes')} BLEU is {last.mean:.1f} on new pairs and "
        f"{trained[int(last.passes)]:.1f} on pairs that were trained on, as a mean over subcorpora."
    )
    if best.passes < last.passes:
        return (
            f"{text} New pairs were best after {int(best.passes)}, with {best.mean:.1f}: what was learnt since is "
            "worth nothing to the user of the translator."
        )
    return f"{text} New pairs still got better up to the last pass."
