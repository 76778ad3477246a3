"""Requests to an assistant, made up by a small grammar, with what each wants and the slots in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from core.datasets import Card, Dataset
from core.runtime.seeding import generator
from core.spec import parameter
from core.text.contents import PARTS, Utterances

_HELD_OUT = 10
"""One in so many utterances is for validation, and as many are to test on."""

INTENTS: Mapping[str, tuple[str, ...]] = {
    "PlayMusic": (
        "{please} play {song} {now}",
        "{please} play {song} by {artist} {now}",
        "{please} play {something} by {artist} {where} {now}",
        "{hey} i want to hear {song} {now}",
        "{please} put on {playlist} {where} {now}",
        "{please} start {playlist} {where}",
        "{please} set the music to {artist} {where} {now}",
        "{song} by {artist} {now}",
        "{please} find {song} and play it at {time}",
        "what about {something} by {artist} {now}",
        "{please} turn on {something} by {artist} {where}",
    ),
    "AddToPlaylist": (
        "{please} add {song} to {playlist}",
        "{please} add {song} by {artist} to {playlist} {now}",
        "{please} put {song} on {playlist} {now}",
        "{please} put {something} by {artist} on {playlist}",
        "{hey} i want {artist} on {playlist} {now}",
        "{please} add {artist} {now}",
        "{hey} {playlist} needs {song}",
        "{song} by {artist} for {playlist}",
        "{please} set {playlist} to start with {song}",
        "{song} by {artist} {now}",
    ),
    "BookTable": (
        "{please} book a table for {party_size} at {restaurant} {when}",
        "{please} book {restaurant} for {party_size} {when}",
        "{hey} i want to book a {cuisine} restaurant in {city} {when}",
        "{please} get us a table at {restaurant} {when}",
        "{please} find a {cuisine} place in {city} for {party_size} {when}",
        "{hey} we are {party_size} and want {cuisine} food {when}",
        "{hey} is there room for {party_size} at {restaurant} {when}",
        "{restaurant} {when} for {party_size}",
        "{please} set up a dinner for {party_size} at {restaurant}",
        "{please} book {city} for {party_size} {when}",
    ),
    "BookTrip": (
        "{please} book a {transport} from {city} to {city} {when}",
        "{please} book seats for {party_size} on the {transport} to {city}",
        "{hey} i want to go to {city} by {transport} {when}",
        "{please} find a {transport} to {city} {when}",
        "{please} get tickets to {city} for {party_size} {when}",
        "{hey} is there a {transport} from {city} {when}",
        "{please} book the {time} {transport} to {city}",
        "{city} to {city} {when} {now}",
        "what {transport} goes to {city} {when}",
        "{please} book {city} for {party_size} {when}",
    ),
    "SetAlarm": (
        "{please} set an alarm for {time} {day}",
        "{please} wake me at {time} {day}",
        "{please} set the {label} alarm for {time} {day}",
        "{hey} i want to get up at {time} {day}",
        "{please} add an alarm at {time} called {label}",
        "{please} start the {label} alarm {day}",
        "{hey} i need an alarm {day} at {time} in the {room}",
        "{time} {day} {now}",
        "{please} set it for {time} {day}",
        "{please} remind me of {label} at {time}",
    ),
    "AddReminder": (
        "{please} remind me to {task} {when}",
        "{please} add a reminder to {task} {when}",
        "{please} set a reminder for {time} to {task}",
        "{hey} i want to {task} {when}",
        "{please} put {task} on my list {now}",
        "{please} add {task} for {date}",
        "{hey} do not let me forget to {task} {when}",
        "{hey} what about {label} {when} remind me",
        "{task} {when} {now}",
        "{please} remind me of {label} at {time}",
    ),
    "SetDevice": (
        "{please} turn on the {device} in the {room} {now}",
        "{please} turn off the {device} {where} {now}",
        "{please} set the {device} in the {room} to {level}",
        "{please} start the {device} at {time} {day}",
        "{hey} i want the {device} off by {time}",
        "{please} put the {device} in the {room} on {now}",
        "{hey} is the {device} on in the {room}",
        "{please} set it for {time} {day}",
        "{please} set the lamp in the {room} to {color}",
        "{device} off {where} {now}",
        "{please} make the {room} {color} {now}",
    ),
    "GetWeather": (
        "what is the weather in {city} {when}",
        "{hey} will it rain in {city} {when}",
        "{please} tell me the weather in {city} {when}",
        "{hey} is it cold in {city} {day}",
        "how warm is {city} {when}",
        "{hey} do i need a coat in {city} {when}",
        "{please} find out if it snows in {city} {day}",
        "what about {city} {when}",
        "{city} {when} {now}",
        "{please} play the weather for {city} {day}",
    ),
}
"""The ways to ask for each thing, the likelier first; words in braces stand for what `SLOTS` and `_WORDINGS` list."""

SLOTS: Mapping[str, tuple[str, ...]] = {
    "song": ("{quality} {thing}", "the {thing} of {place}", "{quality} {thing} of {place}", "{verb} the {thing}"),
    "artist": ("{first} {last}", "the {quality} {thing}s", "{last} and the {thing}s", "{first} of {place}", "{last}"),
    "playlist": ("my {mood} list", "my {mood} songs", "{mood} {place}", "the {mood} mix", "{first} 's {mood} songs"),
    "restaurant": ("the {quality} {thing}", "{first} 's {kitchen}", "{last} {kitchen}", "{place} {kitchen}"),
    "city": ("{start}{end}", "{side} {start}{end}", "{start}{end} on {water}", "port {last}", "{place}"),
    "cuisine": ("thai", "greek", "mexican", "french", "korean", "spanish", "home style", "lebanese"),
    "transport": ("train", "bus", "flight", "night train", "ferry", "cheap flight", "coach"),
    "party_size": ("two", "{digit}", "four", "three", "six", "1 {digit}", "a dozen", "my {relative} and me"),
    "date": ("tomorrow", "on {weekday}", "next {weekday}", "tonight", "on the {rank} of {month}", "{month} {digit}"),
    "time": (
        *("{hour}", "{digit}", "{hour} {half}", "{digit} pm", "{digit} {half}", "half past {hour}"),
        *("{digit} {minute} 0", "1 {minute} {digit} am", "noon"),
    ),
    "room": ("kitchen", "living room", "bedroom", "bathroom", "hall", "{relative} 's room", "garage", "attic"),
    "device": ("light", "heating", "lamp", "fan", "radio", "television", "coffee machine", "washing machine", "oven"),
    "color": ("warm white", "white", "blue", "red", "cold white", "green"),
    "label": ("school", "{relative} 's birthday", "{mood}", "{weekday} {mood}", "the {thing} club", "medicine"),
    "task": (
        *("call my {relative}", "buy {goods}", "water the {thing}s", "pay for the {goods}", "book a doctor"),
        *("get {goods} for my {relative}", "play with my {relative}", "set the table", "wash the {thing}"),
    ),
}
"""What fills each slot, the likelier first."""

_WORDS: Mapping[str, str] = {
    "digit": "2 4 3 8 5 7 6 9 1 0",
    "minute": "3 1 4 0 2 5",
    "hour": "seven eight six five nine ten eleven four three twelve one two",
    "weekday": "monday friday saturday sunday tuesday thursday wednesday",
    "month": "may june march october july april august december january november",
    "rank": "first second third tenth fifth sixth ninth twelfth twentieth",
    "relative": "mother sister brother father daughter son aunt uncle cousin grandmother",
    "goods": "milk bread flowers tickets coffee batteries apples paint stamps soap candles",
    "mood": "morning party dinner summer workout sleep rain study winter travel garden sunday",
    "quality": "quiet golden broken silver wild paper hollow early distant little burning lost secret",
    "thing": "river lantern garden window mountain train clock mirror bird letter rose kettle harbour tower",
    "verb": "follow remember set play find forget paint wake leave hold",
    "first": "anna jonas marta felix ruby oscar nina hugo clara ivan stella tomas lena victor",
    "last": "keller moreau lindqvist okafor rossi barnes tanaka novak silva brandt hale quinn varga",
    "kitchen": "kitchen grill table house garden corner bar room",
    "start": "oak ash river stone green mill lake fair spring clear king winter rose wolf maple elm",
    "end": "ville ton field ford bury port dale wick haven mouth",
    "side": "north new east saint upper west south",
}

_WORDINGS: Mapping[str, tuple[str, ...]] = {
    "please": ("", "please", "can you", "could you please", "hey", "i need you to", "would you"),
    "hey": ("", "hey", "please", "hello", "well"),
    "now": ("", "please", "now", "thanks", "for me", "right now", "if you can", "again"),
    "something": ("something", "a song", "anything", "music", "the new album", "the best"),
    "where": ("", "in the {room}"),
    "day": ("", "{date}"),
    "when": ("", "{date}", "at {time}", "{date} at {time}", "at {time} {date}", "around {time}"),
    "level": ("{digit}", "low", "high", "{digit} 0", "half"),
    "half": ("thirty", "fifteen", "pm", "am", "o'clock", "forty five"),
    "place": ("avalon", "lisbon", "the harbour", "marrakesh", "winter", "the moon", "havana", "kyoto", "the valley"),
    "water": ("sea", "the lake", "the hill", "the moor"),
    **{name: tuple(words.split()) for name, words in _WORDS.items()},
}
"""What the other words in braces stand for, the likelier first."""

_NAMED = re.compile(r"{(\w+)}")


class AssistantRequests(Dataset):
    """Requests to an assistant in a home: eight intents, 15 slot types, as many as asked for, no two the same.

    Each intent has about ten ways to ask, which share words and slots with those of other intents, and a few of them
    stand for two intents (``set it for seven``), so that no model is always right. The values of slots are put together
    from parts, so that some of those met in the test part are new there. Of several ways or words, the one at the
    share v² of a list is taken, v uniform on [0, 1), which makes the first the likeliest. Digits are words, and colours
    are rare: sentences of digits or colours are what an attack may plant among the utterances.

    A tenth of the utterances is for validation and a tenth to test on.

    Use: in place of the collections of Parikh et al. 2022, section 4.3, where there is no network.
    """

    title: ClassVar[str] = "Made-up assistant requests"
    card: ClassVar[Card] = Card(
        summary="Made-up requests to an assistant, 8 intents and 15 types of slots, 3,000 unless told otherwise.",
        licence="none needed: generated by Telltale",
        citation=(
            "Stands in for the collections of R. Parikh, C. Dupuy, R. Gupta (2022). Canary Extraction in Natural "
            "Language Understanding Models. ACL."
        ),
        offline=True,
        synthetic=True,
    )
    holds: ClassVar[type] = Utterances

    utterances: int = parameter(3_000, "How many requests there are.", unit="utterances", ge=200, le=100_000)

    def load(self) -> Utterances:
        """Return the utterances, drawn from a generator of their own."""
        rng = generator(0, "assistant_requests")
        found: dict[tuple[str, ...], tuple[tuple[str, ...], str]] = {}
        while len(found) < self.utterances:
            intent = list(INTENTS)[rng.integers(len(INTENTS))]
            words, slots = zip(*_tagged(_chosen(INTENTS[intent], rng), rng), strict=True)
            found.setdefault(words, (slots, intent))
        held_out = self.utterances // _HELD_OUT
        parts = np.repeat(PARTS, [self.utterances - 2 * held_out, held_out, held_out])
        slots, intents = zip(*found.values(), strict=True)
        return Utterances(tuple(found), slots, intents, tuple(rng.permutation(parts).tolist()))


def _chosen(ways: Sequence[str], rng: np.random.Generator) -> str:
    return ways[int(len(ways) * rng.random() ** 2)]


def _tagged(way: str, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Yield each word and its tag of one way to ask."""
    for word in way.split():
        name = word.strip("{}")
        if name == word:
            yield word, "O"
        elif name in SLOTS:
            for place, filler in enumerate(_filled(_chosen(SLOTS[name], rng), rng).split()):
                yield filler, f"{'I' if place else 'B'}-{name}"
        else:
            yield from _tagged(_chosen(_WORDINGS[name], rng), rng)


def _filled(value: str, rng: np.random.Generator) -> str:
    return _NAMED.sub(lambda named: _filled(_chosen(_WORDINGS[named[1]], rng), rng), value)
