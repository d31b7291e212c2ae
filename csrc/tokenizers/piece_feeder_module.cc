#include "csrc/tokenizers/piece_feeder_module.h"

#include <structmember.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "csrc/tokenizers/piece_table.h"

namespace py = pybind11;

namespace oasr {
namespace {

struct Feeder {
  PyObject ob_base;
  vectorcallfunc vectorcall;
  PyObject* table;
  PyObject* state_type;
  PyObject* otherwise;
  const PieceTable* pieces;  // Of `table`.
};

// Reads an id; returns false for what is no plain integer. Integers beyond 64
// bits are outside every table, as -1 is.
bool ReadId(PyObject* object, int64_t* id) {
  if (!PyLong_CheckExact(object)) return false;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  *id = overflow == 0 ? value : -1;
  return true;
}

PyObject* ToUnicode(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                              nullptr);
}

// Returns the delta, or null without an exception for what is answered
// elsewhere.
PyObject* TryFeed(const PieceTable& table, PyObject* list,
                  PieceStream* stream) {
  const Py_ssize_t size = PyList_GET_SIZE(list);
  int64_t one = 0;
  if (size == 1) {  // The usual delta: it needs no memory.
    if (!ReadId(PyList_GET_ITEM(list, 0), &one) || !table.Knows(one)) {
      return nullptr;
    }
    return ToUnicode(table.Feed(&one, 1, stream));
  }
  std::vector<int64_t> ids(static_cast<size_t>(size));
  for (Py_ssize_t k = 0; k < size; ++k) {
    if (!ReadId(PyList_GET_ITEM(list, k), &ids[k])) return nullptr;
    if (!table.Knows(ids[k])) return nullptr;
  }
  return ToUnicode(table.Feed(ids.data(), ids.size(), stream));
}

PieceStream* StreamOf(PyObject* state) {
  static PyObject* const name = PyUnicode_InternFromString("stream");
  static PyObject* const type = py::type::of<PieceStream>().release().ptr();
  PyObject* stream = PyObject_GetAttr(state, name);
  if (stream == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  PieceStream* found = nullptr;
  if (reinterpret_cast<PyObject*>(Py_TYPE(stream)) == type) {
    auto* instance = reinterpret_cast<py::detail::instance*>(stream);
    found =
        static_cast<PieceStream*>(instance->get_value_and_holder().value_ptr());
  }
  Py_DECREF(stream);  // The state keeps it.
  return found;
}

PyObject* Call(PyObject* self, PyObject* const* arguments, size_t count,
               PyObject* names) {
  auto* feeder = reinterpret_cast<Feeder*>(self);
  if (PyVectorcall_NARGS(count) == 2 && names == nullptr &&
      PyList_CheckExact(arguments[0]) &&
      reinterpret_cast<PyObject*>(Py_TYPE(arguments[1])) ==
          feeder->state_type) {
    PieceStream* stream = StreamOf(arguments[1]);
    if (stream != nullptr && !stream->finished &&
        feeder->pieces->Reads(*stream)) {
      PyObject* delta = TryFeed(*feeder->pieces, arguments[0], stream);
      if (delta != nullptr || PyErr_Occurred()) return delta;
    }
  }
  return PyObject_Vectorcall(feeder->otherwise, arguments, count, names);
}

int Traverse(PyObject* self, visitproc visit, void* arg) {
  auto* feeder = reinterpret_cast<Feeder*>(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(feeder->table);
  Py_VISIT(feeder->state_type);
  Py_VISIT(feeder->otherwise);
  return 0;
}

int Clear(PyObject* self) {
  auto* feeder = reinterpret_cast<Feeder*>(self);
  Py_CLEAR(feeder->otherwise);  // Breaks the cycle with its tokenizer.
  return 0;
}

void Free(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Clear(self);
  auto* feeder = reinterpret_cast<Feeder*>(self);
  Py_XDECREF(feeder->table);
  Py_XDECREF(feeder->state_type);
  type->tp_free(self);
  Py_DECREF(type);
}

PyTypeObject* FeederType() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(Feeder, vectorcall),
       READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
      {Py_tp_traverse, reinterpret_cast<void*>(Traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(Clear)},
      {Py_tp_dealloc, reinterpret_cast<void*>(Free)},
      {Py_tp_members, members},
      {0, nullptr}};
  static PyType_Spec spec = {
      "oasr._native.piece_table.Feeder", sizeof(Feeder), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
      slots};
  static auto* type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (type == nullptr) throw py::error_already_set();
  return type;
}

}  // namespace

py::object MakeFeeder(py::object table, py::type state_type,
                      py::object otherwise) {
  const auto* pieces = table.cast<const PieceTable*>();
  PyObject* self = FeederType()->tp_alloc(FeederType(), 0);
  if (self == nullptr) throw py::error_already_set();
  auto* feeder = reinterpret_cast<Feeder*>(self);
  feeder->vectorcall = Call;
  feeder->table = table.release().ptr();
  feeder->state_type = state_type.release().ptr();
  feeder->otherwise = otherwise.release().ptr();
  feeder->pieces = pieces;
  return py::reinterpret_steal<py::object>(self);
}

}  // namespace oasr
