// Binds piece_table.h. The lock of the interpreter is held throughout: it
// guards the table while it is filled, and a delta takes less time than to let
// the lock go.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "csrc/tokenizers/piece_feeder_module.h"
#include "csrc/tokenizers/piece_table.h"

namespace py = pybind11;

namespace oasr {
namespace {

// Reads a list of plain integers into `ids`; returns false for any other list.
// Integers beyond 64 bits are outside every table, as -1 is.
bool ReadIds(const py::list& list, std::vector<int64_t>* ids) {
  ids->reserve(list.size());
  for (const py::handle id : list) {
    if (!PyLong_CheckExact(id.ptr())) return false;
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(id.ptr(), &overflow);
    ids->push_back(overflow == 0 ? value : -1);
  }
  return true;
}

py::str ToStr(std::string_view text) {
  return py::str(text.data(), text.size());
}

py::object Feed(const PieceTable& table, const py::list& list,
                PieceStream* stream) {
  if (stream->finished) {
    throw std::invalid_argument(
        "This stream was flushed; new ids need a new state"
        " (new_decode_state()).");
  }
  if (!table.Reads(*stream)) {
    throw py::type_error(
        "Expected a state of this tokenizer's new_decode_state(); got that of a"
        " kind that reads bytes in another way.");
  }
  // One id is the usual delta: it needs no vector.
  if (list.size() == 1) {
    const py::handle id = list[0];
    int overflow = 0;
    if (!PyLong_CheckExact(id.ptr())) return py::none();
    long long value = PyLong_AsLongLongAndOverflow(id.ptr(), &overflow);
    if (overflow != 0) value = -1;
    if (!table.Knows(value)) return py::none();
    const int64_t one = value;
    return ToStr(table.Feed(&one, 1, stream));
  }
  std::vector<int64_t> ids;
  if (!ReadIds(list, &ids) || !table.Knows(ids)) return py::none();
  return ToStr(table.Feed(ids.data(), ids.size(), stream));
}

py::list Missing(const PieceTable& table, const py::list& list) {
  std::vector<int64_t> ids;
  py::list missing;
  if (!ReadIds(list, &ids)) return missing;
  for (const int64_t id : ids) {
    if (!table.Knows(id)) missing.append(id);
  }
  return missing;
}

py::object TokenPieces(const PieceTable& table, const py::list& list) {
  std::vector<int64_t> ids;
  if (!ReadIds(list, &ids) || !table.Knows(ids)) return py::none();
  const RenderedPieces pieces = table.Render(ids);
  py::list result(pieces.ends.size());
  const std::string_view text = pieces.text;
  int64_t start = 0;
  for (size_t k = 0; k < pieces.ends.size(); ++k) {
    result[k] = ToStr(text.substr(start, pieces.ends[k] - start));
    start = pieces.ends[k];
  }
  return result;
}

py::object JoinedPieces(const PieceTable& table, const py::list& list) {
  std::vector<int64_t> ids;
  if (!ReadIds(list, &ids) || !table.Knows(ids)) return py::none();
  const RenderedPieces pieces = table.Render(ids);
  return py::make_tuple(
      py::bytes(pieces.text),
      py::array_t<int64_t>(pieces.ends.size(), pieces.ends.data()));
}

py::tuple GetState(const PieceStream& s) {
  return py::make_tuple(s.marks == Marks::kPerByte, s.strips_ends,
                        py::bytes(s.given_out), py::bytes(s.blanks),
                        py::bytes(s.pending), s.past_start, s.begun,
                        s.finished);
}

PieceStream FromState(const py::tuple& fields) {
  if (fields.size() != 8) {
    throw std::invalid_argument("The state of a stream has 8 fields, got " +
                                std::to_string(fields.size()) + ".");
  }
  PieceStream stream;
  stream.marks = fields[0].cast<bool>() ? Marks::kPerByte : Marks::kOne;
  stream.strips_ends = fields[1].cast<bool>();
  stream.given_out = fields[2].cast<std::string>();
  stream.blanks = fields[3].cast<std::string>();
  stream.pending = fields[4].cast<std::string>();
  stream.past_start = fields[5].cast<bool>();
  stream.begun = fields[6].cast<bool>();
  stream.finished = fields[7].cast<bool>();
  return stream;
}

bool Equal(const PieceStream& stream, const py::object& other) {
  return py::isinstance<PieceStream>(other) &&
         GetState(stream).equal(GetState(other.cast<const PieceStream&>()));
}

PieceTable MakeTable(size_t size, bool marks_each_byte, bool strips_ends) {
  return {size, {marks_each_byte ? Marks::kPerByte : Marks::kOne, strips_ends}};
}

}  // namespace
}  // namespace oasr

PYBIND11_MODULE(piece_table, m) {
  m.doc() = "Exact streams of text from a table of bytes per id.";

  py::class_<oasr::PieceStream>(m, "Stream", "The progress of one stream.")
      .def(py::init<>())
      .def(py::pickle(&oasr::GetState, &oasr::FromState))
      .def("__eq__", &oasr::Equal, py::arg("other"))
      .def("finish", &oasr::PieceStream::Finish,
           "Ends the stream; returns the text held back until now.")
      .def_readonly("finished", &oasr::PieceStream::finished)
      .def_property_readonly("given_out",
                             [](const oasr::PieceStream& stream) {
                               return oasr::ToStr(stream.given_out);
                             })
      .def_property_readonly("unsettled", &oasr::PieceStream::Unsettled);

  py::class_<oasr::PieceTable>(m, "PieceTable",
                               "The bytes of each id; filled as ids come.")
      .def(py::init(&oasr::MakeTable), py::arg("size"), py::kw_only(),
           py::arg("marks_each_byte"), py::arg("strips_ends"))
      .def(
          "set",
          [](oasr::PieceTable* table, int64_t id, std::string_view at_start,
             std::string_view later, bool ends_start) {
            table->Set(id, {at_start, later, ends_start});
          },
          py::arg("id"), py::arg("at_start"), py::arg("later"),
          py::arg("ends_start"), "Says what an id renders.")
      .def("drop", &oasr::PieceTable::Drop, py::arg("id"),
           "Says that an id renders nothing wherever it stands.")
      .def("new_stream", &oasr::PieceTable::NewStream,
           "Returns the stream of a text of which nothing was decoded.")
      .def("missing", &oasr::Missing, py::arg("ids"),
           "Returns those of `ids` of which nothing was said.")
      .def("feed", &oasr::Feed, py::arg("ids"), py::arg("stream"),
           "Returns the text that `ids` settle; None if one is missing.")
      .def("token_pieces", &oasr::TokenPieces, py::arg("ids"),
           "Returns the text each id adds; None if one is missing.")
      .def("joined_pieces", &oasr::JoinedPieces, py::arg("ids"),
           "Returns UTF-8 and the end of each piece; None if one is missing.");

  m.def(
      "make_feeder", &oasr::MakeFeeder, py::arg("table"), py::arg("state_type"),
      py::arg("otherwise"),
      "Returns feed(ids, state), which hands what is not plain to otherwise.");
}
