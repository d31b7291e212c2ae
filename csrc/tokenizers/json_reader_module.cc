// Binds json_reader.h: builds Python's values.

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "csrc/tokenizers/json_reader.h"

namespace py = pybind11;

namespace oasr {
namespace {

// So many elements of an open array wait until they are put into their list.
constexpr size_t kMostWaiting = 256;

py::object Checked(PyObject* made) {
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

py::object ToStr(std::string_view text) {
  return Checked(
      PyUnicode_DecodeUTF8(text.data(), text.size(), "surrogatepass"));
}

// Builds the value of a document. A text that was a key before is the same
// object: merges name the texts of the vocabulary again, and there is no room
// for all of them twice.
class Builder : public JsonHandler {
 public:
  explicit Builder(py::function twice) : twice_(std::move(twice)) {}

  py::object value() const { return value_; }

  void Null() override { Add(py::none()); }
  void Bool(bool value) override { Add(py::bool_(value)); }
  void Integer(std::string_view digits) override {
    const std::string text(digits);  // Python wants a NUL behind it.
    Add(Checked(PyLong_FromString(text.c_str(), nullptr, 10)));
  }
  void Real(std::string_view spelled) override {
    const std::string text(spelled);
    const double value = PyOS_string_to_double(text.c_str(), nullptr, nullptr);
    if (value == -1.0 && PyErr_Occurred()) throw py::error_already_set();
    Add(py::float_(value));
  }
  void String(std::string_view text) override {
    py::object made = ToStr(text);
    PyObject* key = PyDict_GetItemWithError(shared_.ptr(), made.ptr());
    if (key == nullptr && PyErr_Occurred()) throw py::error_already_set();
    if (key != nullptr) made = py::reinterpret_borrow<py::object>(key);
    Add(std::move(made));
  }
  void Key(std::string_view text) override {
    const py::object made = ToStr(text);
    PyObject* key = PyDict_SetDefault(shared_.ptr(), made.ptr(), made.ptr());
    if (key == nullptr) throw py::error_already_set();
    keys_.push_back(py::reinterpret_borrow<py::object>(key));
  }
  void BeginObject() override { open_.push_back({py::dict(), 0}); }
  void BeginArray() override {
    open_.push_back({py::none(), elements_.size()});
  }
  void EndObject() override {
    py::object closed = std::move(open_.back().object);
    open_.pop_back();
    Add(std::move(closed));
  }
  void EndArray() override {
    PutElements();
    EndObject();
  }

 private:
  // An object that is not complete; or a list, None before it has elements, and
  // the place of the first one that waits.
  struct Open {
    py::object object;
    size_t first;
  };

  void Add(py::object value) {
    if (open_.empty()) {
      value_ = std::move(value);
    } else if (PyDict_CheckExact(open_.back().object.ptr())) {
      AddMember(open_.back().object, value);
    } else {
      elements_.push_back(std::move(value));
      if (elements_.size() - open_.back().first == kMostWaiting) PutElements();
    }
  }

  // A list that is made of all elements at once takes no room for more.
  void PutElements() {
    Open& array = open_.back();
    const size_t count = elements_.size() - array.first;
    py::list waiting(count);
    for (size_t k = 0; k < count; ++k) {
      PyList_SET_ITEM(waiting.ptr(), k,
                      elements_[array.first + k].release().ptr());
    }
    elements_.resize(array.first);
    if (array.object.is_none()) {
      array.object = std::move(waiting);
      return;
    }
    const Py_ssize_t end = PyList_GET_SIZE(array.object.ptr());
    if (PyList_SetSlice(array.object.ptr(), end, end, waiting.ptr()) != 0) {
      throw py::error_already_set();
    }
  }

  void AddMember(const py::object& object, const py::object& value) {
    const py::object key = std::move(keys_.back());
    keys_.pop_back();
    const Py_ssize_t before = PyDict_GET_SIZE(object.ptr());
    PyObject* first = PyDict_SetDefault(object.ptr(), key.ptr(), value.ptr());
    if (first == nullptr) throw py::error_already_set();
    if (PyDict_GET_SIZE(object.ptr()) == before) {
      twice_(key, py::reinterpret_borrow<py::object>(first), value);
    }
  }

  const py::function twice_;
  py::object value_;
  std::vector<Open> open_;
  std::vector<py::object> elements_;  // That wait, of all open arrays.
  std::vector<py::object> keys_;
  py::dict shared_;  // Every key, by itself.
};

// Nothing that is built is garbage, however much of it there is.
class WithoutCollection {
 public:
  WithoutCollection() : was_on_(PyGC_Disable() != 0) {}
  ~WithoutCollection() {
    if (was_on_) PyGC_Enable();
  }

 private:
  const bool was_on_;
};

const char* KindName(JsonFault::Kind kind) {
  switch (kind) {
    case JsonFault::Kind::kSyntax:
      return "syntax";
    case JsonFault::Kind::kUtf8:
      return "utf-8";
    case JsonFault::Kind::kDepth:
      return "depth";
  }
  return "";
}

py::tuple Read(const py::bytes& document, const py::function& twice) {
  const WithoutCollection guard;
  Builder builder(twice);
  const std::optional<JsonFault> fault = ReadJson(document, &builder);
  if (!fault) return py::make_tuple(builder.value(), py::none());
  return py::make_tuple(
      py::none(),
      py::make_tuple(KindName(fault->kind), fault->position, fault->message));
}

}  // namespace
}  // namespace oasr

PYBIND11_MODULE(json_reader, m) {
  m.doc() = "Reads JSON from bytes, without a copy of the text.";
  m.attr("MOST_DEPTH") = oasr::kMostJsonDepth;
  m.attr("MOST_DIGITS") = oasr::kMostJsonDigits;
  m.def("read", &oasr::Read, py::arg("document"), py::arg("twice"),
        "Returns the value of a document and None, or None and the fault:"
        " \"syntax\", \"utf-8\" or \"depth\", its place in bytes, and what was"
        " expected. Calls twice(key, first, second) for a key that is there"
        " again.");
}
