// Binds word_grouping.h, and of unicode.h what its tests compare with Python.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "csrc/tokenizers/unicode.h"
#include "csrc/tokenizers/word_grouping.h"

namespace py = pybind11;

namespace oasr {
namespace {

// Contiguous arrays of these types are viewed; others are converted where numpy
// calls that safe.
template <typename T>
using Array = py::array_t<T, py::array::c_style>;
using Flags = std::variant<Array<bool>, Array<uint8_t>>;

// Returns a view of `array`, whose elements are as wide as T.
template <typename T>
ArrayView<T> View(const char* name, const py::array& array) {
  if (array.ndim() != 1) {
    throw std::invalid_argument(std::string(name) + " has " +
                                std::to_string(array.ndim()) +
                                " dimensions; expected 1.");
  }
  return {static_cast<const T*>(array.data()),
          static_cast<size_t>(array.size())};
}

ArrayView<uint8_t> View(const char* name, const Flags& flags) {
  return std::visit(
      [&](const auto& array) { return View<uint8_t>(name, array); }, flags);
}

TokenTimes Times(const Array<double>& starts, const Array<double>& ends,
                 const std::optional<Array<double>>& confidences) {
  TokenTimes times = {
      View<double>("starts", starts), View<double>("ends", ends), {}};
  if (confidences)
    times.confidences = View<double>("confidences", *confidences);
  return times;
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) {
    return static_cast<unsigned char>(byte) < 0x80;
  });
}

// Returns ASCII as Python holds it; Python's own decoder looks further.
PyObject* FromAscii(std::string_view text) {
  PyObject* str = PyUnicode_New(text.size(), 0x7F);
  if (str != nullptr && !text.empty()) {
    std::memcpy(PyUnicode_1BYTE_DATA(str), text.data(), text.size());
  }
  return str;
}

// Returns `text` as Python holds it: broken bytes as U+FFFD, surrogates alone.
PyObject* FromUtf8(std::string_view text) {
  // On the stack for nearly every word, and for each character that is one.
  constexpr size_t kShort = 64;
  char32_t few[kShort];
  std::vector<char32_t> many(text.size() > kShort ? text.size() : 0);
  char32_t* const code_points = many.empty() ? few : many.data();
  size_t count = 0;
  for (size_t position = 0; position < text.size(); ++count) {
    const CodePoint next = DecodeUtf8(text, position);
    code_points[count] = next.value;
    position += next.length;
  }
  return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, code_points, count);
}

py::str ToStr(std::string_view text) {
  PyObject* str = IsAscii(text) ? FromAscii(text) : FromUtf8(text);
  if (str == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(str);
}

// Makes floats, and the same one again for a value that was the last: a word
// mostly begins when the one before ends.
class Floats {
 public:
  py::object Make(double value) {
    if (!last_ || std::memcmp(&value, &value_, sizeof value) != 0) {
      value_ = value;
      last_ = py::float_(value);
    }
    return last_;
  }

 private:
  double value_ = 0;
  py::object last_;
};

// Appends `piece` as "surrogatepass" encodes it.
void AppendUtf8(const py::str& piece, std::string* text) {
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(piece.ptr(), &size)) {
    text->append(data, size);
    return;
  }
  PyErr_Clear();
  PyObject* bytes =
      PyUnicode_AsEncodedString(piece.ptr(), "utf-8", "surrogatepass");
  if (bytes == nullptr) throw py::error_already_set();
  text->append(std::string_view(py::reinterpret_steal<py::bytes>(bytes)));
}

// Returns (word, start, end, confidence); a tuple a word is most of the cost of
// grouping, so it is made without the binding's conversions.
PyObject* ToTuple(const TimedWord& word, bool has_confidence, Floats* times) {
  PyObject* tuple = PyTuple_New(4);
  if (tuple == nullptr) throw py::error_already_set();
  PyTuple_SET_ITEM(tuple, 0, ToStr(word.text).release().ptr());
  PyTuple_SET_ITEM(tuple, 1, times->Make(word.start).release().ptr());
  PyTuple_SET_ITEM(tuple, 2, times->Make(word.end).release().ptr());
  PyTuple_SET_ITEM(tuple, 3,
                   has_confidence ? PyFloat_FromDouble(word.confidence)
                                  : py::none().release().ptr());
  // Nothing in it can be part of a cycle, so the collector need not visit it.
  PyObject_GC_UnTrack(tuple);
  return tuple;
}

py::list Group(const Pieces& pieces, const TokenTimes& times) {
  std::vector<TimedWord> words;
  {
    py::gil_scoped_release release;
    words = GroupWords(pieces, times);
  }
  py::list result(words.size());
  Floats floats;
  for (size_t k = 0; k < words.size(); ++k) {
    PyList_SET_ITEM(result.ptr(), k,
                    ToTuple(words[k], !!times.confidences, &floats));
  }
  return result;
}

py::list GroupBytes(const py::bytes& text, const Array<int64_t>& piece_ends,
                    const Flags& lends, const Array<double>& starts,
                    const Array<double>& ends,
                    const std::optional<Array<double>>& confidences) {
  return Group(
      {text, View<int64_t>("piece_ends", piece_ends), View("lends", lends)},
      Times(starts, ends, confidences));
}

py::list GroupStrs(const std::vector<py::str>& pieces, const Flags& lends,
                   const Array<double>& starts, const Array<double>& ends,
                   const std::optional<Array<double>>& confidences) {
  std::string text;
  std::vector<int64_t> piece_ends;
  for (const py::str& piece : pieces) {
    AppendUtf8(piece, &text);
    piece_ends.push_back(static_cast<int64_t>(text.size()));
  }
  return Group(
      {text, {piece_ends.data(), piece_ends.size()}, View("lends", lends)},
      Times(starts, ends, confidences));
}

py::list Spans(const py::bytes& text, const Array<int64_t>& piece_ends,
               const Flags& lends) {
  const Pieces pieces = {text, View<int64_t>("piece_ends", piece_ends),
                         View("lends", lends)};
  std::vector<WordSpan> spans;
  {
    py::gil_scoped_release release;
    spans = WordSpans(pieces);
  }
  py::list result(spans.size());
  for (size_t k = 0; k < spans.size(); ++k) {
    result[k] =
        py::make_tuple(ToStr(spans[k].text), spans[k].first, spans[k].last);
  }
  return result;
}

// A char32_t would be a str of one character to pybind11.
bool IsSpaceValue(uint32_t code_point) { return IsSpace(code_point); }

const char* WordClassName(uint32_t code_point) {
  switch (GetWordClass(code_point)) {
    case WordClass::kLetter:
      return "letter";
    case WordClass::kOpen:
      return "open";
    case WordClass::kClose:
      return "close";
    case WordClass::kSpaceless:
      return "spaceless";
  }
  throw std::logic_error("A word class has no name.");
}

std::vector<size_t> GraphemeEnds(const py::bytes& text) {
  std::vector<size_t> ends;
  const std::string_view view = text;
  for (size_t end = 0; end < view.size();) {
    end = GraphemeEnd(view, end);
    ends.push_back(end);
  }
  return ends;
}

}  // namespace
}  // namespace oasr

PYBIND11_MODULE(word_grouping, m) {
  m.doc() = "Groups the pieces of one hypothesis into timed words.";

  m.def("group_words", &oasr::GroupBytes, py::arg("text"),
        py::arg("piece_ends"), py::arg("lends"), py::arg("starts"),
        py::arg("ends"), py::arg("confidences") = py::none(),
        "Returns (word, start, end, confidence) for each word of UTF-8 text.");
  m.def("group_pieces", &oasr::GroupStrs, py::arg("pieces"), py::arg("lends"),
        py::arg("starts"), py::arg("ends"), py::arg("confidences") = py::none(),
        "Returns what group_words does, of pieces that are str.");
  m.def("word_spans", &oasr::Spans, py::arg("text"), py::arg("piece_ends"),
        py::arg("lends"),
        "Returns (word, first token, last token) for each word.");
  m.def("is_space", &oasr::IsSpaceValue, py::arg("code_point"),
        "Returns whether a code point parts words.");
  m.def("word_class", &oasr::WordClassName, py::arg("code_point"),
        "Returns \"letter\", \"open\", \"close\" or \"spaceless\".");
  m.def("grapheme_ends", &oasr::GraphemeEnds, py::arg("text"),
        "Returns the end of each extended grapheme cluster, in bytes.");
}
