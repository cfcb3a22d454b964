"""Faults of shapes that are no broadcasting: their kinds, and the words that tell them."""

from bcastcli.messages.reading import KnownFault

CONCAT = "concatenation: all axes but the one that is joined must have equal sizes"
EQUAL = "the shapes must be identical here: nothing broadcasts"
LAYER = "a layer or operator was built for another input shape: look at its arguments"
RESHAPE = "a reshape: both shapes must have as many elements"
LOSS = "a loss: the input and the target must have shapes that fit each other"
INDEX = "an index does not fit the array"
LENGTHS = "sequences of different lengths: they must have as many entries"
MEMORY = "memory: if the shape is a square that was not meant, (n,) met (n,1) and became (n,n)"
DECLARED = "the model declares another shape than the one that was inferred"
CONVOLUTION = "a convolution: the input's channels are not those of its weights"
VMAP = "vmap: the mapped axes must have equal sizes"
RAGGED = "rows of different lengths make no array"
LINEAR = "linear algebra: the matrices do not fit the decomposition or the solver"
NAMED = "dimensions are aligned by name or label, not by position"
INPUT = "the model's input has another shape than the tensor that it was given"
WEIGHTS = "weights of another shape were loaded: the model is not the one that was saved"


def _fault(
    kind: str, sentence: str, pattern: str, *texts: str, lead: str = "", unless: str = ""
) -> KnownFault:
    examples = tuple((text, kind) for text in texts)
    return KnownFault(
        "",
        pattern,
        "",
        examples,
        lead=lead,
        needs_lead=bool(lead),
        kind=kind,
        sentence=sentence,
        unless=unless,
    )


MESSAGES = (
    _fault(
        "concat",
        CONCAT,
        r"Sizes of tensors must match except in dimension",
        "RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 2 but got "
        "size 1 for tensor number 1 in the list.",
    ),
    _fault(
        "concat",
        CONCAT,
        r"Tensors must have same number of dimensions: got",
        "RuntimeError: Tensors must have same number of dimensions: got 2 and 1",
    ),
    _fault(
        "concat",
        CONCAT,
        r"stack expects each tensor to be equal size",
        "stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [2, 4] at 1",
    ),
    _fault(
        "concat",
        CONCAT,
        r"all the input array(?: dimension|s must)",
        "ValueError: all the input array dimensions except for the concatenation axis must match "
        "exactly, but along dimension 1, the array at index 0 has size 3 and the array at index 1 "
        "has size 4",
        "ValueError: all the input arrays must have same number of dimensions",
    ),
    _fault(
        "concat",
        CONCAT,
        r"all input arrays must have the same shape",
        "ValueError: all input arrays must have the same shape",
        "ValueError: All input arrays must have the same shape. Got (2, 3), (2, 4).",
    ),
    _fault(
        "concat",
        CONCAT,
        r"Cannot concatenate arrays",
        "TypeError: Cannot concatenate arrays with shapes that differ in dimensions other than the "
        "one being concatenated: concatenating along dimension 0 for shapes (2, 3), (2, 4).",
    ),
    _fault(
        "concat",
        CONCAT,
        r"ConcatOp : (?:Dimension \d{1,3} in both shapes must be equal|Ranks)",
        "InvalidArgumentError: ConcatOp : Dimension 1 in both shapes must be equal: "
        "shape[0] = [2,3] vs. shape[1] = [3,4] [Op:ConcatV2] name: concat",
    ),
    _fault(
        "concat",
        CONCAT,
        r"layer requires inputs with matching shapes",
        "ValueError: A `Concatenate` layer requires inputs with matching shapes except for the "
        "concatenation axis. Received: input_shape=[(2, 3), (4, 5)]",
    ),
    _fault(
        "concat",
        CONCAT,
        r"Argument shapes are inconsistent; they must have the same rank",
        "Argument shapes are inconsistent; they must have the same rank, and must have equal "
        "dimension everywhere except on the concatenation axis (axis 0).",
    ),
    _fault(
        "concat",
        CONCAT,
        r"in both shapes must be equal, but are"
        r"[^'\n]{0,200}'[^'\n]{1,200}' \(op: '(?:Concat|ConcatV2|Pack)'\)",
        "ValueError: Dimension 2 in both shapes must be equal, but are 148 and 147. Shapes are "
        "[?,260,148] and [?,260,147]. for 'route2' (op: 'ConcatV2') with input shapes: []",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"in both shapes must be equal",
        "ValueError: Dimension 1 in both shapes must be equal, but are 40 and 24. Shapes are "
        "[1024,40] and [1024,24]. for 'Assign_682' (op: 'Assign') with input shapes: [1024,40].",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"Shapes must be equal rank, but are",
        "ValueError: Shapes must be equal rank, but are 2 and 1 for 'Assign' (op: 'Assign')",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"Cannot update variable with shape",
        "Cannot update variable with shape [2,3] using a Tensor with shape [4], shapes must be "
        "equal. [Op:AssignAddVariableOp]",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"Cannot assign value to variable",
        "ValueError: Cannot assign value to variable ' Variable:0': Shape mismatch.The variable "
        "shape (2, 3), and the assigned value shape (4,) are incompatible.",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"Only layers of same output shape can be merged",
        "ValueError: Only layers of same output shape can be merged using sum mode.",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"Arrays are not (?:equal|almost equal)",
        "AssertionError: \nArrays are not equal\n\n(shapes (2, 3), (2, 4) mismatch)",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"provided out is the wrong size",
        "ValueError: provided out is the wrong size for the accumulation.",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"Incompatible attr in node",
        "Error in operator _equal0: Check failed: assign(&dattr, (*vec)[i]) Incompatible attr in "
        "node _equal0 at 1-th input: expected [2,2], got [2,1]",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"The Relay type checker is unable to show",
        "The Relay type checker is unable to show the following types match:",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"expected sizes of 'self' and 'other' to match",
        "add: expected sizes of 'self' and 'other' to match, but [2, 3] != [4, 5]",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"then it must have the same shape as the input",
        "embedding_bag: If per_sample_weights (torch.Size([3, 2])) is not None, then it must have "
        "the same shape as the input (torch.Size([2, 2]))",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"arrays must have the same number of dimensions, got",
        "TypeError: add: arrays must have the same number of dimensions, got {1, 2}",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"inconsistent shapes",
        "ValueError: inconsistent shapes",
        "ValueError: inconsistent shapes (2, 3) and (4,)",
    ),
    _fault(
        "equal-shapes",
        EQUAL,
        r"dot_general requires batch dimensions to have the same shape",
        "dot_general requires batch dimensions to have the same shape, got (2,) and (3,).",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"fp and xp are not of the same length",
        "ValueError: fp and xp are not of the same length.",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"weights should have the same shape as a",
        "ValueError: weights should have the same shape as a.",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"Length of weights not compatible",
        "ValueError: Length of weights not compatible with specified axis.",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"Found input variables with inconsistent numbers of samples",
        "ValueError: Found input variables with inconsistent numbers of samples: [100, 80]",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"Data cardinality is ambiguous",
        "ValueError: Data cardinality is ambiguous. Make sure all arrays contain the same number "
        "of samples.'x' sizes: 4\n'y' sizes: 5",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"Length of values \(",
        "ValueError: Length of values (2) does not match length of index (3)",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"Lengths must match",
        "ValueError: Lengths must match to compare",
        "ValueError: ('Lengths must match to compare', (3,), (4,))",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"Shape of passed values is",
        "ValueError: Shape of passed values is (3, 2), indices imply (3, 3)",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"All arrays must be of the same length",
        "ValueError: All arrays must be of the same length",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"x and y must have same first dimension",
        "ValueError: x and y must have same first dimension, but have shapes (3,) and (4,)",
    ),
    _fault(
        "lengths",
        LENGTHS,
        r"x and y must be the same size",
        "ValueError: x and y must be the same size",
    ),
    _fault(
        "reshape",
        RESHAPE,
        r"cannot reshape (?:array|tensor|a tensor|array of)",
        "ValueError: cannot reshape array of size 12 into shape (5,2)",
        "ValueError: cannot reshape a tensor with 12 elements to shape [5,2]",
    ),
    _fault(
        "reshape",
        RESHAPE,
        r"Input to reshape is a tensor with",
        "Input to reshape is a tensor with 12 values, but the requested shape has 10 [Op:Reshape]",
    ),
    _fault(
        "reshape",
        RESHAPE,
        r"is invalid for input of size",
        "RuntimeError: shape '[5, -1]' is invalid for input of size 12",
    ),
    _fault(
        "reshape",
        RESHAPE,
        r"The 'shape' in ReshapeOp is invalid",
        "(InvalidArgument) The 'shape' in ReshapeOp is invalid. The input tensor X'size must be "
        "equal to the capacity of 'shape'.",
    ),
    _fault(
        "reshape",
        RESHAPE,
        r"Requested output shape \[[^\]\n]{0,300}\] is incompatible with input shape",
        "Requested output shape [5,2] is incompatible with input shape",
    ),
    _fault(
        "reshape",
        RESHAPE,
        r"The input tensor cannot be reshaped to the requested shape",
        "The input tensor cannot be reshaped to the requested shape. Input shape:{2,3}, "
        "requested shape:{5,-1}",
    ),
    _fault(
        "reshape",
        RESHAPE,
        r"reshape total size must be unchanged",
        "TypeError: reshape total size must be unchanged, got new_sizes (5, 2) (total 10) for "
        "shape (12,)",
    ),
    _fault(
        "layer-input",
        LAYER,
        r"is incompatible with the layer",
        "Input 0 of layer 'dense' is incompatible with the layer: expected axis -1 of input shape "
        "to have value 3, but received input with shape (2, 4)",
    ),
    _fault(
        "layer-input",
        LAYER,
        r"Expected number of channels in input to be divisible by num_groups",
        "Expected number of channels in input to be divisible by num_groups, but got input of "
        "shape [2, 3, 4] and num_groups=2",
    ),
    _fault(
        "layer-input",
        LAYER,
        r"must be a 3D tensor",
        "RuntimeError: batch1 must be a 3D tensor",
    ),
    _fault(
        "layer-input",
        LAYER,
        r"1D tensors expected,",
        "RuntimeError: 1D tensors expected, but got 2D and 2D tensors",
    ),
    _fault(
        "layer-input",
        LAYER,
        r"Given normalized_shape=",
        "RuntimeError: Given normalized_shape=[4], expected input with shape [*, 4], but got "
        "input of size[2, 3]",
    ),
    _fault(
        "layer-input",
        LAYER,
        r"running_mean should contain",
        "RuntimeError: running_mean should contain 3 elements not 4",
    ),
    _fault(
        "layer-input",
        LAYER,
        r"input\.size\(-1\) must be equal to input_size",
        "RuntimeError: input.size(-1) must be equal to input_size. Expected 10, got 8",
    ),
    _fault(
        "loss",
        LOSS,
        r"Target size \(",
        "ValueError: Target size (torch.Size([2])) must be the same as input size "
        "(torch.Size([2, 3]))",
    ),
    _fault(
        "loss",
        LOSS,
        r"Using a target size \([^\n]{0,200}\) that is different to the input size"
        r" \([^\n]{0,120}\)(?: is deprecated)?\. Please ensure they have the same size",
        "ValueError: Using a target size (torch.Size([2])) that is different to the input size "
        "(torch.Size([2, 3])) is deprecated. Please ensure they have the same size.",
    ),
    _fault(
        "loss",
        LOSS,
        r"Expected input batch_size \(",
        "ValueError: Expected input batch_size (2) to match target batch_size (4).",
    ),
    _fault(
        "loss",
        LOSS,
        r"Arguments `target` and `output` must have the same shape",
        "ValueError: Arguments `target` and `output` must have the same shape. Received: "
        "target.shape=(2, 3), output.shape=(2, 4)",
    ),
    _fault(
        "loss",
        LOSS,
        r"logits and labels must (?:have the same|be broadcastable)",
        "ValueError: logits and labels must have the same shape ((2, 3) vs (2, 4))",
        "logits and labels must be broadcastable: logits_size=[2,3] labels_size=[4,3]",
    ),
    _fault(
        "loss",
        LOSS,
        r"are incompatible",
        "ValueError: Shapes (None, 1) and (None, 3) are incompatible",
        lead=r"Shapes {one:shape} and {other:shape}",
    ),
    _fault(
        "loss",
        LOSS,
        r"Input\(Logits\) and Input\(Label\) should in same shape",
        "Input(Logits) and Input(Label) should in same shape in dimensions except axis.",
    ),
    _fault(
        "loss",
        LOSS,
        r"size mismatch \(got input:",
        "RuntimeError: size mismatch (got input: [10], target: [256])",
    ),
    _fault(
        "index",
        INDEX,
        r"boolean index did not match",
        "IndexError: boolean index did not match indexed array along axis 0; size of axis is 5 but "
        "size of corresponding boolean axis is 4",
    ),
    _fault(
        "index",
        INDEX,
        r"The shape of the mask \[",
        "IndexError: The shape of the mask [4] at index 0 does not match the shape of the indexed "
        "tensor [5] at index 0",
    ),
    _fault(
        "index",
        INDEX,
        r"source tensor shape must match self tensor shape",
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got "
        "self.shape = [5, 3] source.shape = [2, 4]",
    ),
    _fault(
        "index",
        INDEX,
        r"too many indices for array",
        "IndexError: too many indices for array: array is 1-dimensional, but 2 were indexed",
    ),
    _fault(
        "index",
        INDEX,
        r"too many indices for tensor",
        "IndexError: too many indices for tensor of dimension 1",
    ),
    _fault(
        "index",
        INDEX,
        r"is out of bounds for axis",
        "IndexError: index 5 is out of bounds for axis 0 with size 3",
    ),
    _fault(
        "index",
        INDEX,
        r"Expected index \[[^\]\n]{0,100}\] to be (?:no larger|smaller) than",
        "RuntimeError: Expected index [3, 4] to be no larger than self [2, 3] apart from "
        "dimension 0",
    ),
    _fault(
        "vmap",
        VMAP,
        r"vmap got inconsistent sizes",
        "ValueError: vmap got inconsistent sizes for array axes to be mapped:",
    ),
    _fault(
        "vmap",
        VMAP,
        r"vmap: Expected all tensors to have the same size in the mapped dimension",
        "ValueError: vmap: Expected all tensors to have the same size in the mapped dimension, got "
        "sizes [2, 4] for the mapped dimension",
    ),
    _fault(
        "memory",
        MEMORY,
        r"Unable to allocate",
        "_ArrayMemoryError: Unable to allocate 18.6 GiB for an array with shape (50000, 50000) and "
        "data type float64",
    ),
    _fault(
        "memory",
        MEMORY,
        r"CUDA out of memory",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
    ),
    _fault(
        "memory",
        MEMORY,
        r"DefaultCPUAllocator: (?:can't|not enough)",
        "[enforce fail at alloc_cpu.cpp:75] . DefaultCPUAllocator: can't allocate memory: you "
        "tried to allocate 10000000000 bytes.",
    ),
    _fault(
        "memory",
        MEMORY,
        r"OOM when allocating tensor with shape",
        "ResourceExhaustedError: OOM when allocating tensor with shape[50000,50000] and type float",
    ),
    _fault(
        "memory",
        MEMORY,
        r"RESOURCE_EXHAUSTED: Out of memory",
        "RESOURCE_EXHAUSTED: Out of memory allocating 10000000000 bytes.",
    ),
    _fault(
        "convolution",
        CONVOLUTION,
        r"Given groups=\d{1,9}, weight of size",
        "Given groups=1, weight of size [64, 151, 7, 7], expected input[8, 13, 262, 262] to have "
        "151 channels, but got 13 channels instead",
    ),
    _fault(
        "convolution",
        CONVOLUTION,
        r"Data batch channel count \(",
        "Data batch channel count (3) does not match filter input channel count (4).",
    ),
    _fault(
        "convolution",
        CONVOLUTION,
        r"input depth must be evenly divisible by filter depth",
        "input depth must be evenly divisible by filter depth: 4 vs 3 [Op:Conv2D]",
    ),
    _fault(
        "declared-shape",
        DECLARED,
        r"Inferred shape and existing shape differ",
        "[ShapeInferenceError] Inferred shape and existing shape differ in rank: (2) vs (1)",
        "Inferred shape and existing shape differ in dimension 0: (2) vs (3)",
    ),
    _fault(
        "declared-shape",
        DECLARED,
        r"Can't merge shape info",
        "Can't merge shape info. Both inferred and declared dimension have values but they differ. "
        "Inferred=4 Declared=3 Dimension=1",
    ),
    _fault(
        "declared-shape",
        DECLARED,
        r"Mismatch between number of (?:source|inferred)",
        "[ShapeInferenceError] Mismatch between number of source and target dimensions. Source=2 "
        "Target=3",
        "Mismatch between number of inferred and declared dimensions. inferred=2 declared=3",
    ),
    _fault(
        "input-shape",
        INPUT,
        r"Can't set the input tensor",
        "Can't set the input tensor with index: 0, because the model input (shape=[2,3]) and the "
        "tensor (shape=(2.4)) are incompatible",
    ),
    _fault(
        "input-shape",
        INPUT,
        r"Got invalid dimensions for input:",
        "InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Got invalid dimensions for "
        "input: x for the following indices\n index: 1 Got: 4 Expected: 3",
    ),
    _fault(
        "input-shape",
        INPUT,
        r"Invalid rank for input:",
        "Invalid rank for input: x Got: 1 Expected: 2 Please fix either the inputs or the model.",
    ),
    _fault(
        "input-shape",
        INPUT,
        r"Cannot feed value of shape",
        "ValueError: Cannot feed value of shape (2, 4) for Tensor 'x:0', which has shape '(?, 3)'",
    ),
    _fault(
        "weights",
        WEIGHTS,
        r"size mismatch for ",
        "size mismatch for fc.weight: copying a param with shape torch.Size([10, 512]) from "
        "checkpoint, the shape in current model is torch.Size([5, 512]).",
    ),
    _fault(
        "ragged",
        RAGGED,
        r"setting an array element with a sequence",
        "ValueError: setting an array element with a sequence. The requested array has an "
        "inhomogeneous shape after 1 dimensions.",
    ),
    _fault(
        "linear-algebra",
        LINEAR,
        r"LinAlgError: ",
        "LinAlgError: Incompatible dimensions",
        "numpy.linalg.LinAlgError: Last 2 dimensions of the array must be square",
        unless="mismatch in its core dimension",
    ),
    _fault(
        "named-dims",
        NAMED,
        r"because of conflicting dimension sizes",
        "cannot reindex or align along dimension 'y' because of conflicting dimension sizes: "
        "{3, 4}",
    ),
)
