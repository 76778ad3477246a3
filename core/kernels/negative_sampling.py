"""Word2vec with negative sampling, compiled for training many small models quickly."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

_LANES = 16
_VECTOR = ir.VectorType(ir.FloatType(), _LANES)
_ALIGNMENT = 64
_GROUP = 4
_SATURATION = 6.0


class _Rows:
    """Emits the vector instructions on one row of a matrix held as a flat array."""

    def __init__(self, context, builder, array_type, array, blocks: int):
        self.builder = builder
        self.blocks = blocks
        self.data = context.make_array(array_type)(context, builder, array).data

    def load(self, offset) -> list[ir.Value]:
        return [
            self.builder.load(self._place(offset, block), align=_ALIGNMENT)
            for block in range(self.blocks)
        ]

    def store(self, offset, values) -> None:
        for block, value in enumerate(values):
            self.builder.store(value, self._place(offset, block), align=_ALIGNMENT)

    def prefetch(self, offset) -> None:
        """Ask for a row to be brought into the cache before it is needed."""
        number = ir.IntType(32)
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(self.builder.module, kind, "llvm.prefetch.p0")
        for block in range(self.blocks):
            place = self.builder.bitcast(self._place(offset, block), byte)
            self.builder.call(function, [place, number(1), number(3), number(1)])

    def _place(self, offset, block):
        start = self.builder.add(offset, ir.Constant(ir.IntType(64), block * _LANES))
        return self.builder.bitcast(self.builder.gep(self.data, [start]), _VECTOR.as_pointer())


def _data(context, builder, array_type, array):
    return context.make_array(array_type)(context, builder, array).data


def _fma(builder, a, b, c):
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.fmuladd.v16f32")
    return builder.call(function, [a, b, c])


def _splat(builder, scalar):
    single = builder.insert_element(
        ir.Constant(_VECTOR, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0)
    )
    return _shuffle(builder, single, single, [0] * _LANES)


def _shuffle(builder, a, b, lanes):
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes)
    return builder.shuffle_vector(a, b, mask)


def _constant(value: float):
    return ir.Constant(_VECTOR, [value] * _LANES)


def _dots(builder, lefts, matrix, offsets):
    """A vector of the dot products of x with up to 16 rows, in as few shuffles as it takes."""
    sums = []
    for x, offset in zip(lefts, offsets, strict=True):
        y = matrix.load(offset)
        total = builder.fmul(x[0], y[0])
        for a, b in zip(x[1:], y[1:], strict=True):
            total = _fma(builder, a, b, total)
        sums.append(total)
    sums += [_constant(0.0)] * (_GROUP - len(sums))

    def fold(a, b, width):
        low = [lane for lane in range(_LANES) if lane % (2 * width) < width]
        high = [lane + width for lane in low]
        return builder.fadd(
            _shuffle(builder, a, b, low + [lane + _LANES for lane in low]),
            _shuffle(builder, a, b, high + [lane + _LANES for lane in high]),
        )

    quarters = fold(fold(sums[0], sums[1], 8), fold(sums[2], sums[3], 8), 4)
    halves = builder.fadd(
        quarters, _shuffle(builder, quarters, quarters, [lane ^ 2 for lane in range(_LANES)])
    )
    whole = builder.fadd(
        halves, _shuffle(builder, halves, halves, [lane ^ 1 for lane in range(_LANES)])
    )
    return _shuffle(builder, whole, whole, [0, 4, 8, 12])


def _gradient(builder, f, label, weight):
    half = builder.fmul(f, _constant(0.5))
    square = builder.fmul(half, half)
    top = builder.fadd(square, _constant(378.0))
    top = _fma(builder, top, square, _constant(17325.0))
    top = builder.fmul(half, _fma(builder, top, square, _constant(135135.0)))
    bottom = _fma(builder, square, _constant(28.0), _constant(3150.0))
    bottom = _fma(builder, bottom, square, _constant(62370.0))
    bottom = _fma(builder, bottom, square, _constant(135135.0))
    tanh = builder.fdiv(top, bottom)
    sigmoid = _fma(builder, tanh, _constant(0.5), _constant(0.5))
    gradient = builder.fmul(weight, builder.fsub(label, sigmoid))
    inside = builder.and_(
        builder.fcmp_ordered("<", f, _constant(_SATURATION)),
        builder.fcmp_ordered(">", f, _constant(-_SATURATION)),
    )
    return builder.select(inside, gradient, _constant(0.0))


_INT = ir.IntType(64)
_INTS = ir.VectorType(ir.IntType(32), _LANES)


def _splat_int(builder, value):
    narrow = builder.trunc(value, ir.IntType(32)) if value.type.width > 32 else value
    single = builder.insert_element(
        ir.Constant(_INTS, ir.Undefined), narrow, ir.Constant(ir.IntType(32), 0)
    )
    return _shuffle(builder, single, single, [0] * _LANES)



def _at(builder, start, step: int):
    return builder.add(start, ir.Constant(_INT, step))


def _place(builder, places, index):
    """The offset of a row, read from a table of 32-bit offsets."""
    return builder.sext(builder.load(builder.gep(places, [index])), _INT)


def _lanes(builder, places, index):
    """Sixteen consecutive offsets of a table."""
    pointer = builder.bitcast(builder.gep(places, [index]), _INTS.as_pointer())
    return builder.load(pointer, align=4)


def _pick(builder, sources):
    """A vector whose lanes come from given lanes of other vectors."""
    result, lanes = None, []
    for vector in dict.fromkeys(vector for vector, _ in sources):
        wanted = [lane if own is vector else None for own, lane in sources]
        if result is None:
            result = _shuffle(builder, vector, vector, [lane or 0 for lane in wanted])
            continue
        lanes = [k if lane is None else lane + _LANES for k, lane in enumerate(wanted)]
        result = _shuffle(builder, result, vector, lanes)
    return result


def _exchange(builder, lefts, matrix, jobs, buffer):
    """One gradient step between left vectors and rows of a matrix.

    jobs has a list for every left vector, of (offset of a row, source of its weight, label).
    Returns what is to be added to what each left vector came from.
    """
    flat = [(x, *job) for x, own in zip(lefts, jobs, strict=True) for job in own]
    quads = []
    for x, own in zip(lefts, jobs, strict=True):
        pass
    scores = []
    quads = [
        _dots(builder, [x for x, *_ in flat[k : k + _GROUP]], matrix, [o for _, o, *_ in flat[k : k + _GROUP]])
        for k in range(0, len(flat), _GROUP)
    ]
    empty = ir.Constant(ir.VectorType(ir.FloatType(), _GROUP), [0.0] * _GROUP)
    quads += [empty] * (-len(quads) % 4)
    for k in range(0, len(quads), 4):
        halves = [_shuffle(builder, quads[k+i], quads[k+i + 1], list(range(8))) for i in (0, 2)]
        scores.append(_shuffle(builder, halves[0], halves[1], list(range(16))))
    for number, score in enumerate(scores):
        part = flat[number * _LANES : (number + 1) * _LANES]
        part = part + [part[-1]] * (_LANES - len(part))
        weight = _pick(builder, [source for _, _, source, _ in part])
        label = ir.Constant(_VECTOR, [label for *_, label in part])
        buffer.store(ir.Constant(_INT, number * _LANES), [_gradient(builder, score, label, weight)])
    changes = [None] * len(lefts)
    lane = 0
    users = {}
    for g, own in enumerate(jobs):
        for offset, *_ in own:
            users.setdefault(offset, []).append((g, lane))
            lane += 1
    for offset, pairs in users.items():
        y = matrix.load(offset)
        new = y
        for g, lane in pairs:
            by = _splat(builder, builder.load(builder.gep(buffer.data, [ir.Constant(_INT, lane)])))
            changes[g] = (
                [builder.fmul(by, v) for v in y]
                if changes[g] is None
                else [_fma(builder, by, v, total) for v, total in zip(y, changes[g], strict=True)]
            )
            new = [_fma(builder, by, u, v) for u, v in zip(lefts[g], new, strict=True)]
        matrix.store(offset, new)
    return changes


def _for_each_reach(builder, reach, largest: int, emit) -> None:
    """Emits one straight-line body for every reach of the window from 1 to the largest."""
    end = builder.append_basic_block("done")
    cases = [builder.append_basic_block(f"reach_{r}") for r in range(1, largest + 1)]
    switch = builder.switch(reach, cases[0])
    for value, case in enumerate(cases[1:], start=2):
        switch.add_case(ir.Constant(_INT, value), case)
    for value, case in enumerate(cases, start=1):
        builder.position_at_end(case)
        emit(value)
        builder.branch(end)
    builder.position_at_end(end)


@intrinsic
def _learn_group(
    typing, blocks, window, negatives, group, kind, inputs, outputs, places, at, reach, low, high,
    padding, inverse, rate, noise_rate, noise, noise_at, buffer
):
    """One step for a group of neighbouring words that share a reach and the drawn noise."""
    signature = types.void(
        blocks, window, negatives, group, kind, inputs, outputs, places, at, reach, low, high, padding, inverse,
        rate, noise_rate, noise, noise_at, buffer
    )

    def codegen(context, builder, sig, args):
        (_, _, _, _, _, inputs_v, outputs_v, places_v, i, reach_v, low_v, high_v, padding_v, inverse_v, rate_v,
         noise_rate_v, noise_v, drawn, buffer_v) = args
        rows = _Rows(context, builder, inputs, inputs_v, blocks.count)
        matrix = _Rows(context, builder, outputs, outputs_v, blocks.count)
        scratch = _Rows(context, builder, buffer, buffer_v, 1)
        table = _data(context, builder, places, places_v)
        noise_table = _data(context, builder, noise, noise_v)
        inverse_table = _data(context, builder, inverse, inverse_v)
        n = negatives.count
        size = group.count
        skip_gram = kind.count == 2

        def emit(r):
            steps = range(-r, size + r)
            place = {step: _place(builder, table, _at(builder, i, step)) for step in steps}
            word = {step: _splat_int(builder, place[step]) for step in steps}
            around = [[g + d for d in range(-r, r + 1) if d != 0] for g in range(size)]
            noise_places = [_place(builder, noise_table, _at(builder, drawn, k)) for k in range(n)]
            noise_words = [_lanes(builder, noise_table, _at(builder, drawn, k)) for k in range(0, n, _LANES)]
            full = _splat(builder, rate_v)
            shared = _splat(builder, noise_rate_v)
            pad = _splat_int(builder, padding_v)
            lefts, jobs = [], []
            zero = ir.Constant(_INT, 0)
            if skip_gram:
                apart = {
                    step: [
                        builder.sext(builder.and_(builder.icmp_signed("!=", w, word[step]), builder.icmp_signed("!=", pad, word[step])), _INTS)
                        for w in noise_words
                    ]
                    for step in steps
                }
            for g in range(size):
                real = builder.icmp_signed("!=", word[g], pad)
                if skip_gram:
                    lefts.append(rows.load(place[g]))
                    noise_weights = []
                    for k in range(len(noise_words)):
                        total = apart[around[g][0]][k]
                        for step in around[g][1:]:
                            total = builder.add(total, apart[step][k])
                        times = builder.sitofp(builder.sub(ir.Constant(_INTS, [0] * _LANES), total), _VECTOR)
                        noise_weights.append(builder.select(real, builder.fmul(times, shared), _constant(0.0)))
                    own = []
                    for k in range(n):
                        own.append((noise_places[k], (noise_weights[k // _LANES], k % _LANES), 0.0))
                    centre_place = builder.trunc(place[g], ir.IntType(32))
                    for half in (around[g][:r], around[g][r:]):
                        for base in range(0, r, _LANES):
                            near = _lanes(builder, table, _at(builder, i, half[base]))
                            weight = builder.select(builder.and_(real, builder.icmp_signed("!=", near, pad)), full, _constant(0.0))
                            own += [(place[step], (weight, k), 1.0) for k, step in enumerate(half[base : base + _LANES])]
                    jobs.append(own)
                    continue
                total = None
                common = [step for step in around[g] if all(step in other for other in around)]
                for step in common + [step for step in around[g] if step not in common]:
                    x = rows.load(place[step])
                    total = x if total is None else [builder.fadd(u, v) for u, v in zip(total, x, strict=True)]
                centre = _at(builder, i, g)
                end, start = _at(builder, centre, r + 1), _at(builder, centre, -r)
                end = builder.select(builder.icmp_signed("<", end, high_v), end, high_v)
                start = builder.select(builder.icmp_signed(">", start, low_v), start, low_v)
                number = _at(builder, builder.sub(end, start), -1)
                number = builder.select(builder.icmp_signed(">", number, zero), number, zero)
                by = _splat(builder, builder.load(builder.gep(inverse_table, [number])))
                lefts.append([builder.fmul(v, by) for v in total])
                weight = builder.select(real, full, _constant(0.0))
                own = [(place[g], (weight, 0), 1.0)]
                noise_weights = [
                    builder.select(builder.and_(real, builder.icmp_signed("!=", w, word[g])), shared, _constant(0.0))
                    for w in noise_words
                ]
                for k in range(n):
                    own.append((noise_places[k], (noise_weights[k // _LANES], k % _LANES), 0.0))
                jobs.append(own)
            changes = _exchange(builder, lefts, matrix, jobs, scratch)
            if skip_gram:
                for g in range(size):
                    rows.store(place[g], [builder.fadd(u, v) for u, v in zip(rows.load(place[g]), changes[g], strict=True)])
            else:
                for step in steps:
                    parts = [changes[g] for g in range(size) if step in around[g]]
                    if not parts:
                        continue
                    total = parts[0]
                    for part in parts[1:]:
                        total = [builder.fadd(u, v) for u, v in zip(total, part, strict=True)]
                    rows.store(place[step], [builder.fadd(u, v) for u, v in zip(rows.load(place[step]), total, strict=True)])

        for k in range(n, 2 * n):
            matrix.prefetch(_place(builder, noise_table, _at(builder, drawn, k)))
        for step in range(size, 2 * size):
            coming = _place(builder, table, _at(builder, i, step + window.count))
            rows.prefetch(coming)
            matrix.prefetch(coming)
        _for_each_reach(builder, reach_v, window.count, emit)
        return context.get_dummy_value()

    return signature, codegen


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31, _U32 = (np.uint64(n) for n in (27, 30, 31, 32))
_LOW = np.uint64(0xFFFFFFFF)


@njit(inline="always")
def _mix(state):
    """The output of the SplitMix64 generator for a state; 64 random bits."""
    z = (state ^ (state >> _U30)) * _MIX_1
    z = (z ^ (z >> _U27)) * _MIX_2
    return z ^ (z >> _U31)


@njit(inline="always")
def _slot(bits, alias, words):
    product = bits * words
    slot = alias[product >> _U32]
    own = (product >> _U32)
    other = slot & _LOW
    return np.int32(own if (product & _LOW) < (slot >> _U32) else other)


@njit(inline="always")
def _draw(noise, start, amount, alias, stride, state):
    words = np.uint64(alias.size)
    for k in range(np.uint64(start), np.uint64(start + amount), np.uint64(2)):
        state += _GOLDEN
        bits = _mix(state)
        noise[k] = _slot(bits >> _U32, alias, words) * stride
        noise[k + np.uint64(1)] = _slot(bits & _LOW, alias, words) * stride
    return state


@njit(inline="always")
def _subsample(tokens, low, high, keep, stride, places, start, state):
    at = np.uint64(start)
    for i in range(np.uint64(low), np.uint64(high)):
        state += _GOLDEN
        word = tokens[i]
        places[at] = word * stride
        at += np.uint64((_mix(state) >> _U32) <= keep[np.uint32(word)])
    return np.int64(at) - start, state


@njit(cache=True, nogil=True)
def _epoch(
    blocks, window, negatives, group, kind, noise_weight, tokens, offsets, keep, alias, inputs, outputs,
    alpha, min_alpha, done, total, state, longest,
):
    stride = np.int32(len(blocks) * 16)
    reaches = len(window)
    count = len(negatives)
    size = len(group)
    margin = 2*reaches + 2*count + 16 + 2*size
    padding = np.int32(keep.size * stride)
    places = np.full(longest + 2 * margin, padding, np.int32)
    noise = np.zeros((longest//size+1) * count + 2 * margin, np.int32)
    inverse = np.zeros(2*reaches+1, np.float32)
    for i in range(1, 2*reaches+1):
        inverse[i] = np.float32(1.0)/np.float32(i)
    store = np.zeros(size*(2 * reaches + count) + 48, np.float32)
    shift = (-(store.ctypes.data // 4)) % 16
    buffer = store[shift : ]
    span = np.uint64(reaches)
    for document in range(offsets.size - 1):
        low = offsets[document]
        high = offsets[document + 1]
        rate = np.float32(alpha - (alpha - min_alpha) * (done / total))
        noise_rate = rate * np.float32(noise_weight)
        done += high - low
        n, state = _subsample(tokens, low, high, keep, stride, places, margin, state)
        if n < 2:
            continue
        for i in range(reaches+size):
            places[np.uint64(margin + n + i)] = padding
        state = _draw(noise, margin, (n+size-1)//size * count, alias, stride, state)
        drawn = margin
        for i in range(0, n, size):
            state += _GOLDEN
            reach = np.int64(((_mix(state) >> _U32) * span) >> _U32) + 1
            _learn_group(
                blocks, window, negatives, group, kind, inputs, outputs, places, margin + i, reach, margin, margin+n, padding,
                inverse, rate, noise_rate, noise, drawn, buffer)
            drawn += count
            if i < reach or i + size+reach > n:
                inputs[keep.size*stride:] = np.float32(0.0)
                outputs[keep.size*stride:] = np.float32(0.0)
    return state


def _alias_table(weights: np.ndarray) -> np.ndarray:
    """Walker's table: draw a slot, keep it with its chance (of 2**32), else take its alias."""
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
    share[small + large] = 1.0
    chance = np.minimum(share * 2.0**32, 2.0**32 - 1).astype(np.uint64)
    return (chance << np.uint64(32)) | alias.astype(np.uint64)


def _aligned(rows: int, columns: int) -> np.ndarray:
    raw = np.zeros(rows * columns + _LANES, np.float32)
    shift = (-raw.ctypes.data // 4) % _LANES
    return raw[shift : shift + rows * columns]


def train(
    tokens: np.ndarray,
    offsets: np.ndarray,
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
) -> np.ndarray:
    """Train word vectors and return them."""
    import os
    group=int(os.environ.get('G',2));shared=int(os.environ.get('N',5))
    size = counts.size
    blocks = (0,) * -(-dimension // _LANES)
    stride = len(blocks) * _LANES
    inputs = _aligned(size + 1, stride)
    outputs = _aligned(size + 1, stride)
    table = inputs.reshape(size + 1, stride)
    table[:size, :dimension] = (
        np.random.default_rng(seed).random((size, dimension), np.float32) - np.float32(0.5)
    ) / np.float32(dimension)
    if tokens.size:
        threshold = sample * tokens.size
        present = np.maximum(counts, 1).astype(float)
        keep = (np.sqrt(present / threshold) + 1.0) * (threshold / present)
        keep = (np.minimum(keep, 1.0) * (2**32 - 1)).astype(np.uint64)
        alias = _alias_table(counts.astype(float) ** 0.75)
        tokens = np.ascontiguousarray(tokens, np.int32)
        offsets = np.ascontiguousarray(offsets, np.int64)
        state = np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
        longest = int(np.diff(offsets).max())
        total = float(epochs * tokens.size)
        for epoch in range(epochs):
            state = _epoch(
                blocks, (0,) * window, (0,) * shared, (0,) * group, (0,) * (1+skip_gram), negatives / shared, tokens, offsets, keep, alias, inputs, outputs,
                 float(alpha), float(min_alpha),
                float(epoch * tokens.size), total, np.uint64(state), longest,
            )
    return table[:size, :dimension].copy()
