// Runs a fuzz target: with libFuzzer for a set time, else over its corpus and
// seeded mutations of it.
//
// The arguments are the files of the corpus. OASR_FUZZ_SECONDS is the time
// under libFuzzer, OASR_TEST_SCALE multiplies the mutations without it.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

std::string Setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

}  // namespace

#ifdef OASR_LIBFUZZER

// Called before libFuzzer, which has the `main`, reads the arguments.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static std::vector<std::string> arguments = {
      (*argv)[0],
      "-max_total_time=" + Setting("OASR_FUZZ_SECONDS", "60"),
      "-print_final_stats=1",
      "-timeout=10",
      "-verbosity=0",
      "-artifact_prefix=" + Setting("TEST_UNDECLARED_OUTPUTS_DIR", ".") + "/",
  };
  // Files would be run once and that were all; their names are given as seeds.
  std::string seeds;
  for (int k = 1; k < *argc; ++k) {
    seeds += (seeds.empty() ? "" : ",") + std::string((*argv)[k]);
  }
  if (!seeds.empty()) arguments.push_back("-seed_inputs=" + seeds);
  static std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  *argc = static_cast<int>(arguments.size());
  *argv = pointers.data();
  return 0;
}

#else

namespace {

using Bytes = std::vector<uint8_t>;
using Random = std::minstd_rand;

constexpr size_t kMutations = 60000;
constexpr size_t kLongest = 512;

Bytes Read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read.\n", path);
    std::exit(1);
  }
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

// Bytes that mean something to some target: ends of UTF-8, signs, extremes.
uint8_t Interesting(Random* random) {
  static constexpr uint8_t kBytes[] = {0x00, 0x20, 0x7F, 0x80, 0xBF, 0xC2,
                                       0xE0, 0xE2, 0xE3, 0xED, 0xF0, 0xF4,
                                       0xFA, 0xFB, 0xFE, 0xFF};
  return kBytes[(*random)() % sizeof kBytes];
}

void Mutate(Random* random, const Bytes& other, Bytes* bytes) {
  const size_t place = (*random)() % (bytes->size() + 1);
  const auto at = bytes->begin() + static_cast<std::ptrdiff_t>(place);
  switch ((*random)() % 5) {
    case 0:
      bytes->insert(at, Interesting(random));
      break;
    case 1:
      bytes->insert(at, static_cast<uint8_t>((*random)()));
      break;
    case 2:
      if (at != bytes->end()) *at = static_cast<uint8_t>((*random)());
      break;
    case 3:
      if (at != bytes->end()) bytes->erase(at);
      break;
    default:
      bytes->insert(at, other.begin(), other.end());
  }
  if (bytes->size() > kLongest) bytes->resize(kLongest);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Bytes> corpus = {{}};
  for (int k = 1; k < argc; ++k) corpus.push_back(Read(argv[k]));
  for (const Bytes& seed : corpus) {
    LLVMFuzzerTestOneInput(seed.data(), seed.size());
  }
  const size_t seeds = corpus.size();
  Random random(1);
  const size_t count =
      kMutations *
      std::strtoul(Setting("OASR_TEST_SCALE", "1").c_str(), nullptr, 10);
  for (size_t run = 0; run < count; ++run) {
    // Half of them stay near a seed, as a format that breaks says little more.
    const bool near = random() % 2 == 0;
    Bytes bytes = corpus[random() % (near ? seeds : corpus.size())];
    const Bytes& other = corpus[random() % corpus.size()];
    const size_t changes = 1 + random() % (near ? 2 : 8);
    for (size_t k = 0; k < changes; ++k) Mutate(&random, other, &bytes);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    // What went through is a seed, so that mutations pile up.
    if (run % 64 == 0) corpus.push_back(std::move(bytes));
  }
  std::printf("%zu inputs\n", corpus.size() + count);
  return 0;
}

#endif
