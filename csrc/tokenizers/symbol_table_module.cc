#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "csrc/tokenizers/symbol_table.h"

namespace py = pybind11;

namespace {

// No table has it: stands for a Python integer beyond 64 bits.
constexpr int64_t kNoId = std::numeric_limits<int64_t>::min();

std::vector<int64_t> ToIds(const py::list& list) {
  std::vector<int64_t> ids;
  ids.reserve(list.size());
  for (const py::handle id : list) {
    int overflow = 0;
    const int64_t value = PyLong_AsLongLongAndOverflow(id.ptr(), &overflow);
    if (value == -1 && PyErr_Occurred()) throw py::error_already_set();
    ids.push_back(overflow == 0 ? value : kNoId);
  }
  return ids;
}

oasr::SymbolTable MakeTable(const py::dict& dictionary) {
  std::vector<std::pair<int64_t, std::string>> pieces;
  pieces.reserve(dictionary.size());
  for (const auto& [id, bytes] : dictionary) {
    pieces.emplace_back(id.cast<int64_t>(), bytes.cast<std::string>());
  }
  return oasr::SymbolTable(std::move(pieces));
}

oasr::RenderedPieces Render(const oasr::SymbolTable& table,
                            const py::list& list) {
  const std::vector<int64_t> ids = ToIds(list);
  const py::gil_scoped_release unlocked;
  return table.Render(ids);
}

py::list TokenPieces(const oasr::SymbolTable& table, const py::list& ids) {
  const oasr::RenderedPieces pieces = Render(table, ids);
  py::list result(pieces.ends.size());
  size_t start = 0;
  for (size_t k = 0; k < pieces.ends.size(); ++k) {
    const size_t end = pieces.ends[k];
    result[k] = py::str(pieces.text.data() + start, end - start);
    start = end;
  }
  return result;
}

py::tuple JoinedPieces(const oasr::SymbolTable& table, const py::list& ids) {
  const oasr::RenderedPieces pieces = Render(table, ids);
  return py::make_tuple(
      py::bytes(pieces.text),
      py::array_t<int64_t>(pieces.ends.size(), pieces.ends.data()));
}

py::array_t<bool> IsText(const oasr::SymbolTable& table, const py::list& list) {
  const std::vector<int64_t> ids = ToIds(list);
  py::array_t<bool> result(ids.size());
  bool* is_text = result.mutable_data();
  for (const int64_t id : ids) *is_text++ = table.Has(id);
  return result;
}

}  // namespace

PYBIND11_MODULE(symbol_table, m) {
  m.doc() = "The pieces of a hypothesis, by a table of bytes per id.";

  py::class_<oasr::SymbolTable>(m, "SymbolTable",
                                "The bytes that each id renders.")
      .def(py::init(&MakeTable), py::arg("pieces"))
      .def("token_pieces", &TokenPieces, py::arg("ids"),
           "Returns the text each id adds to the stripped text of `ids`.")
      .def("joined_pieces", &JoinedPieces, py::arg("ids"),
           "Returns the UTF-8 of all pieces, and the byte at which each ends.")
      .def("is_text", &IsText, py::arg("ids"),
           "Returns for each id whether the table has it.");
}
