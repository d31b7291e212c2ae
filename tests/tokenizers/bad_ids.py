"""What is handed over as token ids, and is none."""

import numpy as np
import pytest

# Not one id among them; the position is that of the first that is none.
BAD_IDS = [
    pytest.param([3, 1.0], 1, id="float"),
    pytest.param([True], 0, id="bool"),
    pytest.param([3, 3, "3"], 2, id="string"),
    pytest.param([[3]], 0, id="nested list"),
    pytest.param([3, None], 1, id="none"),
    pytest.param(np.array([3.0]), 0, id="array of floats"),
    pytest.param(np.array([[3]]), 0, id="array of two axes"),
    pytest.param(np.array([True]), 0, id="array of bools"),
    pytest.param((3, np.bool_(True)), 1, id="numpy bool"),
    pytest.param((3, np.float32(1)), 1, id="numpy float"),
    pytest.param([3, np.array([4])], 1, id="array of one among ids"),
    pytest.param([np.array(4)], 0, id="array without axes among ids"),
    pytest.param([3, 3, b"3"], 2, id="bytes among ids"),
]
NO_SEQUENCES = [
    pytest.param("33", id="string"),
    pytest.param(b"33", id="bytes"),
    pytest.param(3, id="integer"),
    pytest.param(None, id="none"),
    pytest.param({3: 3}, id="dictionary"),
    pytest.param(np.array(3), id="array without axes"),
]
