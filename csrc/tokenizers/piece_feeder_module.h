// `decode_incremental` as a callable of its own: a delta without a Python
// frame.

#ifndef OASR_CSRC_TOKENIZERS_PIECE_FEEDER_MODULE_H_
#define OASR_CSRC_TOKENIZERS_PIECE_FEEDER_MODULE_H_

#include <pybind11/pybind11.h>

namespace oasr {

// Returns a callable `feed(ids, state)` over the PieceTable `table`.
//
// A plain list of ids that the table knows, and an open state of exactly
// `state_type` with a Stream as its attribute `stream`, are answered here; all
// other arguments are handed to `otherwise`. Defines its type on first use.
pybind11::object MakeFeeder(pybind11::object table, pybind11::type state_type,
                            pybind11::object otherwise);

}  // namespace oasr

#endif  // OASR_CSRC_TOKENIZERS_PIECE_FEEDER_MODULE_H_
