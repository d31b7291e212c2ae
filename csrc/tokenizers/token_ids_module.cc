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

}  // namespace

PYBIND11_MODULE(token_ids, m) {
  m.doc() = "Checks of token ids that touch every element of a list.";
  m.def("all_int", &AllInt, py::arg("ids"),
        "Returns whether every element is exactly an int (a bool is not).");
  m.def("in_range", &InRange, py::arg("ids"), py::arg("size"),
        "Returns whether every element is exactly an int in [0, size).");
}
