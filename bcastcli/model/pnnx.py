"""pnnx's text format: one operator per line, with its shapes as annotations.

    7767517
    3 3
    pnnx.Input       in0 0 1 0 #0=(1,3,8,8)f32
    pnnx.Input       in1 0 1 1 #1=(3,1,1)f32
    pnnx.Expression  e   2 1 0 1 2 expr=add(@0,@1) #0=(1,3,8,8)f32 #1=(3,1,1)f32 #2=(1,3,8,8)f32

An expression holds several operators; each of two operands becomes a node.
"""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.shapes import Shape, Size, columns, right_aligned, stretch
from bcastcli.model.nodes import Given, Model, ModelError, Node, otherwise

MAX_BYTES = 256 << 20
_ANNOTATION = re.compile(r"\(([-0-9?, ]*)\)\w*")

# The functions of two operands, with the equivalent ONNX operator; those without one follow
# NumPy's rule.
_FUNCTIONS = {
    "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "pow": "Pow", "fmod": "Mod",
    "remainder": "Mod", "max": "Max", "maximum": "Max", "fmax": "Max", "min": "Min",
    "minimum": "Min", "fmin": "Min", "eq": "Equal", "lt": "Less", "le": "LessOrEqual",
    "gt": "Greater", "ge": "GreaterOrEqual", "and": "BitwiseAnd", "or": "BitwiseOr",
    "xor": "BitwiseXor", "bitwise_and": "BitwiseAnd", "bitwise_or": "BitwiseOr",
    "bitwise_xor": "BitwiseXor", "logical_and": "And", "logical_or": "Or", "logical_xor": "Xor",
    "ne": "numpy", "atan2": "numpy", "floor_divide": "numpy", "logaddexp": "numpy",
    "rsub": "numpy", "lshift": "numpy", "rshift": "numpy",
}  # fmt: skip
_OF_SIZES = frozenset({"size"})
"""Functions that take a shape's axis, and give a number."""
_OPERATORS = {
    "torch.matmul": "MatMul",
    "torch.where": "Where",
    **{f"torch.{name}": asked for name, asked in _FUNCTIONS.items() if name not in ("max", "min")},
    **{f"aten::{name}": asked for name, asked in _FUNCTIONS.items() if name not in ("max", "min")},
}


class _Line(NamedTuple):
    type: str
    name: str
    inputs: list[str]
    outputs: list[str]
    parameters: Mapping[str, str]
    shapes: dict[object, Shape | None]


class _Step(NamedTuple):
    """One operator of a line."""

    operator: str
    operands: tuple[int | str | None, ...]
    """The number of an earlier step, the name of a value, or None for a literal."""


def read(data: memoryview, given: Given) -> Model:
    """Return the model in a .pnnx.param file; raise ModelError if it is not one.

    The annotations have the shapes; what is given must agree with them.
    """
    if len(data) > MAX_BYTES:
        raise ModelError(f"the file has more than {MAX_BYTES >> 20} MiB")
    lines = bytes(data).decode("utf-8", "replace").splitlines()
    known: dict[object, Shape | None] = {}
    constants: set[object] = {None}  # a literal is one
    inputs: dict[str, Shape | None] = {}
    nodes: list[Node] = []
    texts = [text for text in lines[2:] if text.strip()]
    for index, text in enumerate(texts):
        line = _read_line(text, index + 3)
        for value, shape in line.shapes.items():
            known.setdefault(value, shape)
        if line.type == "pnnx.Attribute":
            constants.update(line.outputs)
        if line.type == "pnnx.Input":
            for name in (line.name, *line.outputs):
                inputs[name] = known.get(line.outputs[0]) if line.outputs else None
        nodes += _nodes(line, index, known, constants)
    count = lines[1].split()[:1]
    if count and count[0].isdecimal() and len(texts) < int(count[0]):
        raise ModelError(
            f"the file is cut short: it declares {count[0][:20]} operators but has {len(texts)}"
        )
    if why := otherwise(given, inputs, "run pnnx again with another inputshape"):
        raise ModelError(why)
    return Model("pnnx", nodes)


def _read_line(text: str, number: int) -> _Line:
    words = text.split()
    try:
        type_, name, inputs, outputs = words[0], words[1], int(words[2]), int(words[3])
    except (IndexError, ValueError) as error:
        raise ModelError(f"line {number} is not an operator of pnnx") from error
    rest = words[4:]
    if inputs < 0 or outputs < 0 or inputs + outputs > len(rest):
        raise ModelError(f"line {number} does not have the inputs and outputs that it declares")
    parameters = {}
    shapes: dict[object, Shape | None] = {}
    for word in rest[inputs + outputs :]:
        key, _, value = word.partition("=")
        if key.startswith("#") and (shape := _shape(value)) is not None:
            shapes[key[1:]] = shape
        else:
            parameters[key] = value
    return _Line(type_, name, rest[:inputs], rest[inputs : inputs + outputs], parameters, shapes)


def _shape(text: str) -> Shape | None:
    """Return the shape of an annotation such as `(1,3,8,8)f32`; None if it is not one."""
    found = _ANNOTATION.fullmatch(text)
    if not found:
        return None
    sizes: list[Size] = []
    for word in found[1].split(","):
        size = word.strip()
        if size.isdecimal() and len(size) <= 18:
            sizes.append(int(size))
        elif size or len(sizes) != found[1].count(","):
            sizes.append("?")
    return tuple(sizes)


def _nodes(
    line: _Line, index: int, known: dict[object, Shape | None], constants: set[object]
) -> Iterator[Node]:
    """Yield the questions of a line."""
    output = line.outputs[0] if line.outputs else ""
    common = Node(line.type, "", (), output, line.name, line.name, index)
    values: ChainMap[object, Shape | None] = ChainMap({None: ()}, line.shapes, known)
    steps = [_Step(line.type, tuple(line.inputs))] if line.type in _OPERATORS else []
    if line.type == "pnnx.Expression":
        common = common._replace(question_name="numpy")
        try:
            steps = _steps(line.parameters.get("expr", ""), line.inputs)
        except ModelError as error:
            yield common._replace(problem=str(error))
        except ValueError:
            why = "bcastcli cannot read its expression"
            yield common._replace(inputs=tuple(map(values.get, line.inputs)), undecidable=why)
    several = sum(len(each.operands) > 1 and each.operator not in _OF_SIZES for each in steps)
    asked = 0
    for number, (operator, operands) in enumerate(steps):
        inputs = tuple(map(values.get, operands))
        whole = [each for each in inputs if each is not None]
        rule = _OPERATORS.get(operator) or _FUNCTIONS.get(operator, "numpy")
        found = _broadcast(whole) if rule != "MatMul" and len(whole) == len(inputs) else None
        values[number] = () if operator in _OF_SIZES else found
        if len(operands) < 2 or operator in _OF_SIZES:
            continue
        asked += 1
        yield common._replace(
            operator=operator,
            question_name=rule,
            inputs=inputs,
            label=line.name if several < 2 else f"{line.name}/{asked}",
            constant=tuple("constant" if each in constants else "" for each in operands),
            declared=line.shapes.get(output) if number == len(steps) - 1 else None,
            remarks=tuple(_remarks(whole, found)),
        )


def _remarks(inputs: Sequence[Shape], result: Shape | None) -> Iterator[str]:
    """Yield the limits of pnnx and ncnn that the shapes exceed, though NumPy's rule allows them."""
    if any(len(shape) > 4 for shape in inputs):
        yield "more than four axes; ncnn has at most four"
    whole = [shape for shape in inputs if result and len(shape) == len(result)]
    if result and result[0] != 1 and any(shape[0] == 1 for shape in whole):
        yield "axis 0 stretches, but pnnx treats it as the batch, which ncnn never stretches"


def _broadcast(shapes: Sequence[Shape]) -> Shape | None:
    """Return the result of shapes by NumPy's rule; None where they do not broadcast."""
    axes = columns(shapes, right_aligned(map(len, shapes)))
    sizes = [stretch(axis).result for axis in axes]
    return None if None in sizes else tuple(size for size in sizes if size is not None)


def _steps(expression: str, inputs: Sequence[str]) -> list[_Step]:
    """Return the operators of an expression, each after those that it needs.

    Raise ModelError for an input that does not exist, ValueError for what cannot be read.
    """
    steps: list[_Step] = []
    pending: list[tuple[str, list[int | str | None]]] = [("", [])]
    for word, mark in re.findall(r"([^(),]*)([(),]|$)", expression):
        if mark == "(":
            pending.append((word, []))
            continue
        if word:
            pending[-1][1].append(_operand(word, inputs))
        if mark == ")":
            function, operands = pending.pop()
            is_known = len(operands) == 1 or function in _FUNCTIONS or function in _OF_SIZES
            if not (pending and operands and function and is_known) or function[0] == "@":
                raise ValueError
            steps.append(_Step(function, tuple(operands)))
            pending[-1][1].append(len(steps) - 1)
    if len(pending) != 1 or len(pending[0][1]) != 1 or not steps:
        raise ValueError
    return steps


def _operand(word: str, inputs: Sequence[str]) -> str | None:
    """Return the value that a word of an expression means, None for a literal.

    Raise ModelError for an input that does not exist, ValueError for other words.
    """
    if not word.startswith("@"):
        if word not in ("True", "False", "None"):
            complex(word)
        return None
    if not word[1:].isdecimal():
        raise ValueError
    if len(word) > 9 or int(word[1:]) >= len(inputs):
        raise ModelError(f"its expression uses {word}, but its last input is @{len(inputs) - 1}")
    return inputs[int(word[1:])]
