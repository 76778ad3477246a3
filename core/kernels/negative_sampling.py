"""Word2vec with negative sampling, compiled for training hundreds of small models.

This file is longer than 300 lines because emitter and trainer must share one file: numba refreshes its
cache of compiled code when the file of the compiled function changes, and only then.

The vector instructions are emitted one by one, because the loops are too short (80 numbers per row) for a
compiler to vectorise them well: dot products are reduced four at a time, a whole group of gradients goes
through one sigmoid, and every row is read and written once per step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from core.kernels.compiled import compiled

_intrinsic: Any = intrinsic

_LANES = 16
_ALIGNMENT = 64
_QUAD = 4
_SATURATION = 6.0
_GROUP = 2
_SHARED_CBOW = 1.2
_SHARED_SKIP_GRAM = 2.0

_FLOATS = ir.VectorType(ir.FloatType(), _LANES)
_INTS = ir.VectorType(ir.IntType(32), _LANES)
_INDEX = ir.IntType(64)
_NUMBER = ir.IntType(32)
_BYTES = ir.IntType(8).as_pointer()
_NO_INTS = ir.Constant(_INTS, [0] * _LANES)


class _Sizes(NamedTuple):
    """Compile-time constants of a step, carried by the lengths of tuples."""

    blocks: int
    window: int
    noise: int
    group: int
    skip_gram: int

    @classmethod
    def of(cls, layout: Any) -> _Sizes:
        return cls(*(part.count for part in layout))

    def layout(self) -> tuple[tuple[int, ...], ...]:
        return tuple((0,) * size for size in self)


class _Arrays(NamedTuple):
    """The arrays that a step reads and writes."""

    inputs: Any
    outputs: Any
    scratch: Any
    row_offsets: Any
    noise: Any
    inverse: Any


class _Numbers(NamedTuple):
    """Where a step stands in its arrays, and its step sizes."""

    at: Any
    noise_at: Any
    low: Any
    high: Any
    padding: Any
    rate: Any
    noise_rate: Any
    reach: Any


class _Job(NamedTuple):
    """A pair of a left vector and a row, the lane that holds its weight, and its label."""

    row: Any
    weights: Any
    lane: int
    label: float


class _Rows:
    """Emits instructions on the rows of a matrix held as a flat array."""

    def __init__(self, builder: Any, data: Any, blocks: int) -> None:
        self.builder = builder
        self.data = data
        self.blocks = blocks

    def load(self, start: Any) -> list[Any]:
        return [
            self.builder.load(self._block(start, block, _FLOATS.as_pointer()), align=_ALIGNMENT)
            for block in range(self.blocks)
        ]

    def store(self, start: Any, values: list[Any]) -> None:
        for block, value in enumerate(values):
            address = self._block(start, block, _FLOATS.as_pointer())
            self.builder.store(value, address, align=_ALIGNMENT)

    def add(self, start: Any, values: list[Any]) -> None:
        self.store(start, _add(self.builder, self.load(start), values))

    def prefetch(self, start: Any) -> None:
        """Prefetch a row into the cache."""
        kind = ir.FunctionType(ir.VoidType(), [_BYTES, _NUMBER, _NUMBER, _NUMBER])
        function = cgutils.get_or_insert_function(self.builder.module, kind, "llvm.prefetch.p0")
        for block in range(self.blocks):
            address = self._block(start, block, _BYTES)
            self.builder.call(function, [address, _NUMBER(1), _NUMBER(3), _NUMBER(1)])

    def _block(self, start: Any, block: int, pointer: Any) -> Any:
        address = self.builder.gep(self.data, [_after(self.builder, start, block * _LANES)])
        return self.builder.bitcast(address, pointer)


class _RowOffsets:
    """Emits reads of a table of 32-bit row offsets, one per word."""

    def __init__(self, builder: Any, data: Any, origin: Any) -> None:
        self.builder = builder
        self.data = data
        self.origin = origin

    def one(self, step: int) -> Any:
        address = self.builder.gep(self.data, [_after(self.builder, self.origin, step)])
        return self.builder.sext(self.builder.load(address), _INDEX)

    def sixteen(self, step: int) -> Any:
        address = self.builder.gep(self.data, [_after(self.builder, self.origin, step)])
        return self.builder.load(self.builder.bitcast(address, _INTS.as_pointer()), align=4)


def _after(builder: Any, start: Any, step: int) -> Any:
    return builder.add(start, _INDEX(step))


def _constant(value: float) -> Any:
    return ir.Constant(_FLOATS, [value] * _LANES)


def _shuffle(builder: Any, a: Any, b: Any, lanes: list[int]) -> Any:
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_NUMBER, len(lanes)), lanes))


def _splat(builder: Any, scalar: Any, kind: Any = _FLOATS) -> Any:
    single = builder.insert_element(ir.Constant(kind, ir.Undefined), scalar, _NUMBER(0))
    return _shuffle(builder, single, single, [0] * _LANES)


def _add(builder: Any, left: list[Any], right: list[Any]) -> list[Any]:
    return [builder.fadd(a, b) for a, b in zip(left, right, strict=True)]


def _multiply_add(builder: Any, a: Any, b: Any, c: Any) -> Any:
    kind = ir.FunctionType(_FLOATS, [_FLOATS] * 3)
    name = f"llvm.fmuladd.v{_LANES}f32"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [a, b, c])


def _dot_quad(builder: Any, lefts: list[Any], rows: list[list[Any]]) -> Any:
    """Emit up to four dot products as one short vector, reduced together to save shuffles."""
    sums = []
    for x, y in zip(lefts, rows, strict=True):
        total = builder.fmul(x[0], y[0])
        for a, b in zip(x[1:], y[1:], strict=True):
            total = _multiply_add(builder, a, b, total)
        sums.append(total)
    sums += [_constant(0.0)] * (_QUAD - len(sums))

    def fold(a: Any, b: Any, width: int) -> Any:
        low = [lane for lane in range(_LANES) if lane % (2 * width) < width]
        high = [lane + width for lane in low]
        return builder.fadd(
            _shuffle(builder, a, b, low + [lane + _LANES for lane in low]),
            _shuffle(builder, a, b, high + [lane + _LANES for lane in high]),
        )

    total = fold(fold(sums[0], sums[1], 8), fold(sums[2], sums[3], 8), 4)
    for distance in (2, 1):
        swapped = _shuffle(builder, total, total, [lane ^ distance for lane in range(_LANES)])
        total = builder.fadd(total, swapped)
    return _shuffle(builder, total, total, [0, 4, 8, 12])


def _gradient(builder: Any, score: Any, label: Any, weight: Any) -> Any:
    """Emit weight * (label - sigmoid(score)), and zero where the sigmoid is saturated.

    The sigmoid is the continued fraction of tanh, cut after the seventh power: six correct digits
    between the points of saturation.
    """

    def polynomial(x: Any, *coefficients: float) -> Any:
        total = _constant(coefficients[0])
        for coefficient in coefficients[1:]:
            total = _multiply_add(builder, total, x, _constant(coefficient))
        return total

    half = builder.fmul(score, _constant(0.5))
    square = builder.fmul(half, half)
    top = builder.fmul(half, polynomial(square, 1.0, 378.0, 17325.0, 135135.0))
    tanh = builder.fdiv(top, polynomial(square, 28.0, 3150.0, 62370.0, 135135.0))
    sigmoid = _multiply_add(builder, tanh, _constant(0.5), _constant(0.5))
    inside = builder.and_(
        builder.fcmp_ordered("<", score, _constant(_SATURATION)),
        builder.fcmp_ordered(">", score, _constant(-_SATURATION)),
    )
    gradient = builder.fmul(weight, builder.fsub(label, sigmoid))
    return builder.select(inside, gradient, _constant(0.0))


def _pick(builder: Any, sources: list[tuple[Any, int]]) -> Any:
    """Emit a vector whose lanes come from given lanes of other vectors."""
    result = None
    for vector in dict.fromkeys(vector for vector, _ in sources):
        mine = [lane if owner is vector else None for owner, lane in sources]
        if result is None:
            result = _shuffle(builder, vector, vector, [lane or 0 for lane in mine])
        else:
            lanes = [k if lane is None else lane + _LANES for k, lane in enumerate(mine)]
            result = _shuffle(builder, result, vector, lanes)
    return result


def _exchange(builder: Any, lefts: list[Any], jobs: list[list[_Job]], matrix: _Rows, scratch: _Rows) -> list[Any]:
    """Emit one gradient step between left vectors and rows; return the change of every left vector."""
    flat = [(g, job) for g, jobs_of_word in enumerate(jobs) for job in jobs_of_word]
    quads = []
    for start in range(0, len(flat), _QUAD):
        part = flat[start : start + _QUAD]
        rows = [matrix.load(job.row) for _, job in part]
        quads.append(_dot_quad(builder, [lefts[g] for g, _ in part], rows))
    quads += [ir.Constant(ir.VectorType(ir.FloatType(), _QUAD), [0.0] * _QUAD)] * (-len(quads) % 4)
    for start in range(0, len(flat), _LANES):
        four = quads[start // _QUAD : start // _QUAD + 4]
        halves = [_shuffle(builder, four[k], four[k + 1], list(range(8))) for k in (0, 2)]
        score = _shuffle(builder, halves[0], halves[1], list(range(_LANES)))
        sixteen = [job for _, job in flat[start : start + _LANES]]
        sixteen += [sixteen[-1]] * (_LANES - len(sixteen))
        weight = _pick(builder, [(job.weights, job.lane) for job in sixteen])
        label = ir.Constant(_FLOATS, [job.label for job in sixteen])
        scratch.store(_INDEX(start), [_gradient(builder, score, label, weight)])

    users: dict[Any, list[tuple[int, int]]] = {}
    for lane, (g, job) in enumerate(flat):
        users.setdefault(job.row, []).append((g, lane))
    changes = [[_constant(0.0)] * matrix.blocks for _ in lefts]
    for row, pairs in users.items():
        old = matrix.load(row)
        new = old
        for g, lane in pairs:
            by = _splat(builder, builder.load(builder.gep(scratch.data, [_INDEX(lane)])))
            changes[g] = [_multiply_add(builder, by, v, total) for v, total in zip(old, changes[g], strict=True)]
            new = [_multiply_add(builder, by, u, v) for u, v in zip(lefts[g], new, strict=True)]
        matrix.store(row, new)
    return changes


class _Step:
    """Emits one step for a group of neighbouring words that share the window size and the noise words."""

    def __init__(self, builder: Any, sizes: _Sizes, data: _Arrays, numbers: _Numbers) -> None:
        self.builder = builder
        self.sizes = sizes
        self.inputs = _Rows(builder, data.inputs, sizes.blocks)
        self.outputs = _Rows(builder, data.outputs, sizes.blocks)
        self.scratch = _Rows(builder, data.scratch, 1)
        self.row_offsets = _RowOffsets(builder, data.row_offsets, numbers.at)
        self.noise = _RowOffsets(builder, data.noise, numbers.noise_at)
        self.inverse = data.inverse
        self.at, self.low, self.high, self.reach = numbers.at, numbers.low, numbers.high, numbers.reach
        self.padding = _splat(builder, builder.trunc(numbers.padding, _NUMBER), _INTS)
        self.rate = _splat(builder, numbers.rate)
        self.noise_rate = _splat(builder, numbers.noise_rate)

    def prefetch_next(self) -> None:
        for k in range(self.sizes.noise, 2 * self.sizes.noise):
            self.outputs.prefetch(self.noise.one(k))
        for step in range(self.sizes.group, 2 * self.sizes.group):
            coming = self.row_offsets.one(step + self.sizes.window)
            self.inputs.prefetch(coming)
            self.outputs.prefetch(coming)

    def emit(self) -> None:
        """Emit a straight-line body for every window size, so that only one jump must be predicted."""
        builder = self.builder
        end = builder.append_basic_block("end")
        bodies = [builder.append_basic_block("reach") for _ in range(self.sizes.window)]
        switch = builder.switch(self.reach, bodies[0])
        for reach, body in enumerate(bodies, start=1):
            if reach > 1:
                switch.add_case(_INDEX(reach), body)
            builder.position_at_end(body)
            self._body(reach)
            builder.branch(end)
        builder.position_at_end(end)

    def _body(self, reach: int) -> None:
        group = range(self.sizes.group)
        steps = range(-reach, self.sizes.group + reach)
        offset = {step: self.row_offsets.one(step) for step in steps}
        word = {step: _splat(self.builder, self.builder.trunc(offset[step], _NUMBER), _INTS) for step in steps}
        windows = [[g + d for d in range(-reach, reach + 1) if d] for g in group]
        drawn = [self.noise.one(k) for k in range(self.sizes.noise)]
        drawn_words = [self.noise.sixteen(k) for k in range(0, self.sizes.noise, _LANES)]
        real = [self.builder.icmp_signed("!=", word[g], self.padding) for g in group]
        if self.sizes.skip_gram:
            lefts = [self.inputs.load(offset[g]) for g in group]
            positive = [self._neighbours(offset, windows[g], real[g]) for g in group]
            weights = self._noise_of_neighbours(drawn_words, word, windows, real)
        else:
            lefts = [self._mean(offset, windows, g, reach) for g in group]
            positive = [[_Job(offset[g], self._where(real[g], self.rate), 0, 1.0)] for g in group]
            weights = [
                [self._where(self._differ(real[g], w, word[g]), self.noise_rate) for w in drawn_words] for g in group
            ]
        jobs = [
            [_Job(row, weights[g][k // _LANES], k % _LANES, 0.0) for k, row in enumerate(drawn)] + positive[g]
            for g in group
        ]
        changes = _exchange(self.builder, lefts, jobs, self.outputs, self.scratch)
        if self.sizes.skip_gram:
            for g in group:
                self.inputs.add(offset[g], changes[g])
            return
        for step in steps:
            parts = [changes[g] for g in group if step in windows[g]]
            if parts:
                total = parts[0]
                for part in parts[1:]:
                    total = _add(self.builder, total, part)
                self.inputs.add(offset[step], total)

    def _where(self, condition: Any, value: Any) -> Any:
        return self.builder.select(condition, value, _constant(0.0))

    def _differ(self, real: Any, left: Any, right: Any) -> Any:
        return self.builder.and_(real, self.builder.icmp_signed("!=", left, right))

    def _mean(self, offset: dict[int, Any], windows: list[list[int]], g: int, reach: int) -> Any:
        builder = self.builder
        common = [step for step in windows[g] if all(step in window for window in windows)]
        order = common + [step for step in windows[g] if step not in common]
        total = self.inputs.load(offset[order[0]])
        for step in order[1:]:
            total = _add(builder, total, self.inputs.load(offset[step]))
        first, last = (_after(builder, self.at, g + d) for d in (-reach, reach + 1))
        first = builder.select(builder.icmp_signed(">", first, self.low), first, self.low)
        last = builder.select(builder.icmp_signed("<", last, self.high), last, self.high)
        count = _after(builder, builder.sub(last, first), -1)
        count = builder.select(builder.icmp_signed(">", count, _INDEX(0)), count, _INDEX(0))
        by = _splat(builder, builder.load(builder.gep(self.inverse, [count])))
        return [builder.fmul(v, by) for v in total]

    def _neighbours(self, offset: dict[int, Any], window: list[int], real: Any) -> list[_Job]:
        jobs = []
        half = len(window) // 2
        for side in (window[:half], window[half:]):
            for start in range(0, half, _LANES):
                near = self.row_offsets.sixteen(side[start])
                weights = self._where(self._differ(real, near, self.padding), self.rate)
                part = side[start : start + _LANES]
                jobs += [_Job(offset[step], weights, k, 1.0) for k, step in enumerate(part)]
        return jobs

    def _noise_of_neighbours(
        self, drawn: list[Any], word: dict[int, Any], windows: list[list[int]], real: list[Any]
    ) -> list[list[Any]]:
        """Emit one noise update per neighbour that is not the noise word itself."""
        builder = self.builder
        minus_one = {}
        for step, center in word.items():
            exists = builder.icmp_signed("!=", center, self.padding)
            minus_one[step] = [builder.sext(self._differ(exists, other, center), _INTS) for other in drawn]
        weights: list[list[Any]] = []
        for g, window in enumerate(windows):
            weights.append([])
            for k in range(len(drawn)):
                times = _NO_INTS
                for step in window:
                    times = builder.sub(times, minus_one[step][k])
                weight = builder.fmul(builder.sitofp(times, _FLOATS), self.noise_rate)
                weights[g].append(self._where(real[g], weight))
        return weights


@_intrinsic
def _learn_group(typing, layout, arrays, numbers):
    def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
        pointers = (
            context.make_array(kind)(context, builder, array).data
            for kind, array in zip(arrays.types, cgutils.unpack_tuple(builder, args[1]), strict=True)
        )
        values = _Numbers(*cgutils.unpack_tuple(builder, args[2]))
        step = _Step(builder, _Sizes.of(layout), _Arrays(*pointers), values)
        step.prefetch_next()
        step.emit()
        return context.get_dummy_value()

    return types.void(layout, arrays, numbers), codegen


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_U1, _U27, _U30, _U31, _U32 = (np.uint64(n) for n in (1, 27, 30, 31, 32))
_LOW = np.uint64(0xFFFFFFFF)


@njit(inline="always")
def _mix(state):
    """Return the 64 random bits of the SplitMix64 generator for a state."""
    z = (state ^ (state >> _U30)) * _MIX_1
    z = (z ^ (z >> _U27)) * _MIX_2
    return z ^ (z >> _U31)


@njit(inline="always")
def _noise_word(bits, alias):
    """Return a word for 32 random bits: the integer part of bits * V / 2**32 is a slot, the rest a coin."""
    product = bits * np.uint64(alias.size)
    number = product >> _U32
    slot = alias[number]
    return np.int32(number if (product & _LOW) < (slot >> _U32) else slot & _LOW)


@njit(inline="always")
def _draw_noise(noise, start, amount, alias, stride, state):
    for k in range(np.uint64(start), np.uint64(start + amount), np.uint64(2)):
        state += _GOLDEN
        bits = _mix(state)
        noise[k] = _noise_word(bits >> _U32, alias) * stride
        noise[k + _U1] = _noise_word(bits & _LOW, alias) * stride
    return state


@njit(inline="always")
def _subsample(tokens, low, high, keep, stride, row_offsets, start, state):
    at = np.uint64(start)
    for i in range(np.uint64(low), np.uint64(high)):
        state += _GOLDEN
        word = tokens[i]
        row_offsets[at] = word * stride
        at += np.uint64((_mix(state) >> _U32) < keep[np.uint32(word)])
    return np.int64(at) - start, state


@compiled(nogil=True)
def _epoch(
    layout,
    tokens,
    offsets,
    keep,
    alias,
    inputs,
    outputs,
    noise_weight,
    longest,
    start_rate,
    end_rate,
    done,
    total,
    state,
):
    window, drawn, size = len(layout[1]), len(layout[2]), len(layout[3])
    stride = np.int32(len(layout[0]) * _LANES)
    padding = np.int32(keep.size) * stride
    margin = 2 * (window + drawn + size) + _LANES
    row_offsets = np.full(longest + 2 * margin, padding, np.int32)
    noise = np.zeros((longest // size + 1) * drawn + 2 * margin, np.int32)
    inverse = np.zeros(2 * window + 1, np.float32)
    for i in range(1, inverse.size):
        inverse[i] = np.float32(1.0) / np.float32(i)
    unaligned = np.zeros(size * (2 * window + drawn + 1) + 2 * _LANES, np.float32)
    scratch = unaligned[(-(unaligned.ctypes.data // 4)) % _LANES :]
    arrays = _Arrays(inputs, outputs, scratch, row_offsets, noise, inverse)
    for document in range(offsets.size - 1):
        low, high = offsets[document], offsets[document + 1]
        rate = np.float32(start_rate - (start_rate - end_rate) * (done / total))
        done += high - low
        n, state = _subsample(tokens, low, high, keep, stride, row_offsets, margin, state)
        if n < 2:
            continue
        for i in range(2 * size + window):
            row_offsets[np.uint64(margin + n + i)] = padding
        amount = (n + size - 1) // size * drawn
        state = _draw_noise(noise, margin, amount, alias, stride, state)
        at = margin
        for i in range(0, n, size):
            state += _GOLDEN
            reach = np.int64(((_mix(state) >> _U32) * np.uint64(window)) >> _U32) + 1
            numbers = _Numbers(margin + i, at, margin, margin + n, padding, rate, rate * noise_weight, reach)
            _learn_group(layout, arrays, numbers)
            at += drawn
            if i < reach or i + size + reach > n:
                inputs[padding:] = np.float32(0.0)
                outputs[padding:] = np.float32(0.0)
    return state


def _alias_table(weights: np.ndarray) -> np.ndarray:
    """Return Walker's alias table: probability of staying in the upper half of a number, alias in the lower."""
    size = weights.size
    share = weights * (size / weights.sum())
    alias = np.arange(size)
    small = list(np.flatnonzero(share < 1.0))
    large = list(np.flatnonzero(share >= 1.0))
    while small and large:
        low, high = small.pop(), large[-1]
        alias[low] = high
        share[high] -= 1.0 - share[low]
        if share[high] < 1.0:
            small.append(large.pop())
    chance = np.minimum(share * 2.0**32, 2.0**32 - 1.0).astype(np.uint64)
    table: np.ndarray = (chance << _U32) | alias.astype(np.uint64)
    return table


def _keep_thresholds(counts: np.ndarray, sample: float) -> np.ndarray:
    """Return thresholds: a word stays if 32 random bits are below (sqrt(f / sample) + 1) * sample / f."""
    if sample <= 0.0:
        return np.full(counts.size, 2**32, np.uint64)
    ratio = sample * counts.sum() / np.maximum(counts, 1)
    thresholds: np.ndarray = (np.minimum(np.sqrt(ratio) + ratio, 1.0) * 2.0**32).astype(np.uint64)
    return thresholds


def _aligned(rows: int, stride: int) -> np.ndarray:
    raw = np.zeros(rows * stride + _LANES, np.float32)
    shift = (-(raw.ctypes.data // raw.itemsize)) % _LANES
    return raw[shift : shift + rows * stride]


def _check_sizes(sizes: dict[str, int]) -> None:
    for name, value in sizes.items():
        if value < 1:
            raise ValueError(f"The {name!r} parameter of train must be at least 1. Got {value}.")


def _check(tokens: np.ndarray, offsets: np.ndarray, size: int) -> None:
    if offsets.size < 1 or offsets[0] != 0 or offsets[-1] != tokens.size:
        raise ValueError(
            f"The 'offsets' parameter of train must run from 0 to the {tokens.size} tokens. "
            f"Got {offsets[:1]} to {offsets[-1:]} instead."
        )
    if (np.diff(offsets) < 0).any():
        raise ValueError("The 'offsets' parameter of train must never decrease.")
    if tokens.size and not 0 <= tokens.min() <= tokens.max() < size:
        raise ValueError(
            f"The 'tokens' parameter of train must hold word ids from 0 to {size - 1}. "
            f"Got {tokens.min()} to {tokens.max()} instead."
        )


def train(
    shards: Callable[[], Iterable[tuple[np.ndarray, np.ndarray]]],
    counts: np.ndarray,
    *,
    dimension: int,
    window: int,
    negatives: int,
    epochs: int,
    alpha: float,
    min_alpha: float,
    sample: float,
    skip_gram: bool,
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Train word vectors by negative sampling.

    CBOW (mean of the context) and skip-gram as in gensim 4, with three savings. Two neighbouring
    words of a document share one random window size. They share their noise words too: 1.2 times
    `negatives` for CBOW and 2 times for skip-gram, weighted so that the expected gradient is that of
    `negatives` words per pair. In skip-gram, noise is drawn once per word for its whole window, and
    the window size is drawn for the word whose input vector is trained.

    The same arguments give the same bytes on one machine. The first call for a `dimension`,
    `window` and `negatives` compiles for a few seconds; later processes load the result.

    Args:
        shards: Called once an epoch; yields the documents in the same order each time, some at a time. How they are
            divided does not change the result. Each shard is a pair: the word ids of its documents, one after
            another, shape (n,); where each document starts, and n at the end, shape (m + 1,).
        counts: How often each id occurs in all shards. Shape (V,).
        dimension: Length of a vector.
        window: Largest distance, in words, between a word and its context.
        negatives: Noise words per pair.
        epochs: Epochs over the documents.
        alpha: Learning rate at the start.
        min_alpha: Learning rate at the end; it falls linearly with the words processed.
        sample: Words more frequent than this share are subsampled; 0 keeps all.
        skip_gram: Whether to train skip-gram instead of CBOW.
        seed: Seed of the first vectors and of all draws.

    Returns:
        The input vectors, of words as centres, and the output vectors, of predicted words; float32, of
        shape (V, dimension) each.

    Raises:
        ValueError: If a size is not positive, or tokens or offsets point outside their range, or the counts are not
            those of the shards.

    Source: Mikolov et al., "Distributed Representations of Words and Phrases and their
    Compositionality", 2013, sections 2.2 and 2.3.
    """
    total = int(np.sum(counts))
    counts = np.asarray(counts, np.float64)
    _check_sizes({"dimension": dimension, "window": window, "negatives": negatives})
    seeds = np.random.SeedSequence(seed).spawn(2)
    first = np.random.default_rng(seeds[0]).random((counts.size, dimension), np.float32)
    first = (first - np.float32(0.5)) / np.float32(dimension)
    if not total:
        return first, np.zeros_like(first)

    noise = round(negatives * (_SHARED_SKIP_GRAM if skip_gram else _SHARED_CBOW))
    blocks = -(-dimension // _LANES)
    stride = blocks * _LANES
    if (counts.size + 1) * stride >= 2**31:
        raise ValueError(
            f"The 'counts' parameter of train must hold fewer than {2**31 // stride} words for "
            f"dimension {dimension}. Got {counts.size} instead."
        )
    inputs = _aligned(counts.size + 1, stride)
    outputs = _aligned(counts.size + 1, stride)
    vectors = inputs.reshape(-1, stride)[:-1, :dimension]
    vectors[:] = first
    layout = _Sizes(blocks, window, noise, _GROUP, int(skip_gram)).layout()
    keep, alias = _keep_thresholds(counts, sample), _alias_table(counts**0.75)
    state = seeds[1].generate_state(1, np.uint64)[0]
    for epoch in range(epochs):
        done = 0
        for tokens, offsets in shards():
            tokens = np.ascontiguousarray(tokens, np.int32)
            offsets = np.ascontiguousarray(offsets, np.int64)
            _check(tokens, offsets, counts.size)
            state = _epoch(
                layout,
                tokens,
                offsets,
                keep,
                alias,
                inputs,
                outputs,
                np.float32(negatives / noise),
                int(np.diff(offsets).max(initial=0)),
                float(alpha),
                float(min_alpha),
                float(epoch * total + done),
                float(epochs * total),
                np.uint64(state),
            )
            done += tokens.size
        if done != total:
            raise ValueError(f"The 'counts' parameter of train must count all {done} tokens, got {total}.")
    return vectors.copy(), outputs.reshape(-1, stride)[:-1, :dimension].copy()
