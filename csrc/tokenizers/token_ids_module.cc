#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace {

bool AllInt(const py::list& ids) {
  for (const py::handle id : ids) {
    if (!PyLong_CheckExact(id.ptr())) return false;
  }
  return true;
}

bool InRange(const py::list& ids, long long size) {
  for (const py::handle id : ids) {
    if (!PyLong_CheckExact(id.ptr())) return false;
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(id.ptr(), &overflow);
    if (overflow != 0 || value < 0 || value >= size) return false;
  }
  return true;
}

// The ids that are left out: a set of them, or a byte for each id from 0 on
// that says so, which is smaller where they are many.
class Dropped {
 public:
  explicit Dropped(const py::object& ids) : ids_(ids.ptr()) {
    if (PyBytes_Check(ids_)) {
      flags_ = PyBytes_AS_STRING(ids_);
      size_ = PyBytes_GET_SIZE(ids_);
    } else if (PyFrozenSet_Check(ids_)) {
      size_ = PySet_GET_SIZE(ids_);
    } else {
      throw py::type_error("Expected dropped ids as a frozenset or bytes.");
    }
  }

  bool Has(PyObject* id, long long value) const {
    if (size_ == 0) return false;
    if (flags_ == nullptr) return PySet_Contains(ids_, id) == 1;
    return value >= 0 && value < size_ && flags_[value] != 0;
  }

 private:
  PyObject* const ids_;
  const char* flags_ = nullptr;
  Py_ssize_t size_ = 0;
};

// Returns `ids` itself where all of them are kept, and None where an element is
// no plain integer.
py::object Select(const py::list& ids, long long first, long long last,
                  const py::object& dropped_ids) {
  const Dropped dropped(dropped_ids);
  py::list kept;
  const size_t size = ids.size();
  size_t copied =
      size;  // Up to the first id that is left out nothing is copied.
  for (size_t place = 0; place < size; ++place) {
    PyObject* id = PyList_GET_ITEM(ids.ptr(), place);
    if (!PyLong_CheckExact(id)) return py::none();
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(id, &overflow);
    const bool out = overflow != 0 || value < first || value >= last ||
                     dropped.Has(id, value);
    if (out && copied == size) {
      copied = place;
      kept =
          py::reinterpret_steal<py::list>(PyList_GetSlice(ids.ptr(), 0, place));
    } else if (!out && copied != size) {
      kept.append(py::handle(id));
    }
  }
  return copied == size ? py::object(ids) : py::object(kept);
}

// Of a list of plain integers.
py::array_t<bool> Mask(const py::list& ids, long long first, long long last,
                       const py::object& dropped_ids) {
  const Dropped dropped(dropped_ids);
  py::array_t<bool> kept(ids.size());
  bool* is_kept = kept.mutable_data();
  for (const py::handle id : ids) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(id.ptr(), &overflow);
    if (value == -1 && PyErr_Occurred()) throw py::error_already_set();
    const bool inside = overflow == 0 && value >= first && value < last;
    *is_kept++ = inside && !dropped.Has(id.ptr(), value);
  }
  return kept;
}

}  // namespace

PYBIND11_MODULE(token_ids, m) {
  m.doc() = "Checks of token ids that touch every element of a list.";
  m.def("all_int", &AllInt, py::arg("ids"),
        "Returns whether every element is exactly an int (a bool is not).");
  m.def("in_range", &InRange, py::arg("ids"), py::arg("size"),
        "Returns whether every element is exactly an int in [0, size).");
  m.def("select", &Select, py::arg("ids"), py::arg("first"), py::arg("last"),
        py::arg("dropped"),
        "Returns the elements in [first, last) that are not dropped: `ids` "
        "itself if"
        " all are; None if one is no int.");
  m.def("mask", &Mask, py::arg("ids"), py::arg("first"), py::arg("last"),
        py::arg("dropped"),
        "Returns for each int whether it is in [first, last) and not dropped.");
}
