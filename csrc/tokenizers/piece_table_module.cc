// Binds piece_table.h. The lock of the interpreter is held throughout: it
// guards the table while it is filled, and a delta takes less time than to let
// the lock go.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
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

py::object Checked(PyObject* made) {
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
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

// A table that keeps the text of each id of whole characters as Python has it:
// most pieces of a hypothesis are such, and then cost no more than a reference.
class SharingTable : public PieceTable {
 public:
  SharingTable(size_t size, const Reading& reading)
      : PieceTable(size, reading), texts_(size) {}

  void SetPiece(int64_t id, const Piece& piece) {
    Set(id, piece);
    texts_[id] = py::object();
  }

  // Returns the text of an id of whole characters, behind the start.
  const py::object& TextOf(int64_t id) const {
    py::object& text = texts_[id];
    if (!text) text = ToStr(PieceOf(id).later);
    return text;
  }

 private:
  mutable std::vector<py::object> texts_;  // The interpreter's lock guards it.
};

void Put(const py::list& list, size_t place, py::object element) {
  PyList_SET_ITEM(list.ptr(), place, element.release().ptr());
}

// Takes what a strip of the whole text takes from the pieces, from one end.
void Strip(const py::list& pieces, bool from_end) {
  for (size_t k = 0; k < pieces.size(); ++k) {
    const size_t place = from_end ? pieces.size() - 1 - k : k;
    PyObject* piece = PyList_GET_ITEM(pieces.ptr(), place);
    const auto is_space = [piece](Py_ssize_t at) {
      return Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(piece, at)) != 0;
    };
    Py_ssize_t first = 0;
    Py_ssize_t last = PyUnicode_GET_LENGTH(piece);
    const Py_ssize_t size = last;
    while (!from_end && first < last && is_space(first)) ++first;
    while (from_end && first < last && is_space(last - 1)) --last;
    if (last - first < size) {
      pieces[place] = Checked(PyUnicode_Substring(piece, first, last));
    }
    if (first < last) return;
  }
}

// Puts the pieces of the run of byte ids at `*place` into the result.
void PutRun(const PieceTable& table, const std::vector<int64_t>& ids,
            size_t* place, bool* past_start, const py::list& result) {
  size_t next = *place;
  const RenderedPieces run = table.RenderRun(ids, place, past_start);
  const std::string_view text = run.text;
  int64_t start = 0;
  for (const int64_t end : run.ends) {
    Put(result, next++, ToStr(text.substr(start, end - start)));
    start = end;
  }
}

py::object TokenPieces(const SharingTable& table, const py::list& list) {
  std::vector<int64_t> ids;
  if (!ReadIds(list, &ids) || !table.Knows(ids)) return py::none();
  py::list result(ids.size());
  const py::str empty;
  bool past_start = false;
  for (size_t k = 0; k < ids.size();) {
    switch (table.PartOf(ids[k])) {
      case PieceTable::Part::kNone:
        Put(result, k++, empty);
        break;
      case PieceTable::Part::kBytes:
        PutRun(table, ids, &k, &past_start, result);
        break;
      case PieceTable::Part::kWhole:
        if (past_start) {
          Put(result, k, table.TextOf(ids[k]));
        } else {
          const PieceTable::Piece piece = table.PieceOf(ids[k]);
          Put(result, k, ToStr(piece.at_start));
          past_start = piece.ends_start;
        }
        ++k;
    }
  }
  if (table.strips_ends()) {
    Strip(result, /*from_end=*/false);
    Strip(result, /*from_end=*/true);
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
  return py::make_tuple(static_cast<int>(s.marks), s.strips_ends,
                        py::bytes(s.first_dropped), py::bytes(s.given_out),
                        py::bytes(s.blanks), py::bytes(s.pending),
                        py::bytes(s.run), s.run_length, s.run_at_start,
                        s.run_broken, s.past_start, s.begun, s.finished);
}

PieceStream FromState(const py::tuple& fields) {
  if (fields.size() != 13) {
    throw std::invalid_argument("The state of a stream has 13 fields, got " +
                                std::to_string(fields.size()) + ".");
  }
  const int marks = fields[0].cast<int>();
  if (marks < 0 || marks > static_cast<int>(Marks::kWholeRun)) {
    throw std::invalid_argument("The state of a stream has no marks of sort " +
                                std::to_string(marks) + ".");
  }
  PieceStream stream;
  stream.marks = static_cast<Marks>(marks);
  stream.strips_ends = fields[1].cast<bool>();
  stream.first_dropped = fields[2].cast<std::string>();
  stream.given_out = fields[3].cast<std::string>();
  stream.blanks = fields[4].cast<std::string>();
  stream.pending = fields[5].cast<std::string>();
  stream.run = fields[6].cast<std::string>();
  stream.run_length = fields[7].cast<size_t>();
  stream.run_at_start = fields[8].cast<bool>();
  stream.run_broken = fields[9].cast<bool>();
  stream.past_start = fields[10].cast<bool>();
  stream.begun = fields[11].cast<bool>();
  stream.finished = fields[12].cast<bool>();
  return stream;
}

bool Equal(const PieceStream& stream, const py::object& other) {
  return py::isinstance<PieceStream>(other) &&
         GetState(stream).equal(GetState(other.cast<const PieceStream&>()));
}

std::unique_ptr<SharingTable> MakeTable(size_t size, bool marks_each_byte,
                                        bool strips_ends, bool undoes_runs,
                                        const std::string& first_dropped) {
  if (undoes_runs && strips_ends) {
    throw std::invalid_argument(
        "No runtime both undoes runs of bytes and strips the ends.");
  }
  const Marks marks = undoes_runs       ? Marks::kWholeRun
                      : marks_each_byte ? Marks::kPerByte
                                        : Marks::kOne;
  return std::make_unique<SharingTable>(
      size, PieceTable::Reading{marks, strips_ends, first_dropped});
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

  // Bound by itself, so that what takes a PieceTable needs no cast.
  py::class_<oasr::PieceTable>(m, "BareTable");
  py::class_<oasr::SharingTable, oasr::PieceTable>(
      m, "PieceTable", "The bytes of each id; filled as ids come.")
      .def(py::init(&oasr::MakeTable), py::arg("size"), py::kw_only(),
           py::arg("marks_each_byte"), py::arg("strips_ends"),
           py::arg("undoes_runs") = false, py::arg("first_dropped") = "")
      .def(
          "set",
          [](oasr::SharingTable* table, int64_t id, std::string_view at_start,
             std::string_view later, bool ends_start, bool is_byte) {
            table->SetPiece(id, {at_start, later, ends_start, is_byte});
          },
          py::arg("id"), py::arg("at_start"), py::arg("later"),
          py::arg("ends_start"), py::arg("is_byte") = false,
          "Says what an id renders.")
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
