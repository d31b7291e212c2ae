// The prefixes that a search holds alive, as a tree.

#ifndef OASR_CSRC_DECODERS_PREFIX_TREE_H_
#define OASR_CSRC_DECODERS_PREFIX_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oasr {

// Stores each prefix once: a node is its parent's prefix and one more token.
//
// A node lives while it has a slot (its place in the beam) or a child, so every
// leaf has a slot; a node that has neither is freed with those above it that it
// alone kept. Equal prefixes are the same node.
class PrefixTree {
 public:
  static constexpr int32_t kRoot = 0;  // The empty prefix; never freed.
  static constexpr int32_t kNone = -1;

  PrefixTree();

  int32_t token(int32_t node) const { return nodes_[node].token; }
  int32_t parent(int32_t node) const { return nodes_[node].parent; }
  int32_t depth(int32_t node) const { return nodes_[node].depth; }
  int32_t slot(int32_t node) const { return nodes_[node].slot; }

  // How many nodes live, the root included.
  size_t size() const { return size_; }

  // Returns the node of the prefix of `node` and `token`. A new one must be
  // given a slot before any is taken away.
  int32_t Extend(int32_t node, int32_t token);

  void SetSlot(int32_t node, int32_t slot) { nodes_[node].slot = slot; }

  // Takes the slot away, and frees what nothing needs any longer.
  void ClearSlot(int32_t node);

  // Returns the deepest node that all prefixes with a slot begin with. It only
  // ever moves down, a step for each node passed.
  int32_t Stem();

  std::vector<int64_t> Ids(int32_t node) const;

  // A prefix by all but its last token, and that; it need not be in the tree.
  struct Prefix {
    int32_t parent;  // kNone, as the token, of the empty prefix.
    int32_t token;

    bool operator==(const Prefix& other) const {
      return parent == other.parent && token == other.token;
    }
  };

  Prefix PrefixOf(int32_t node) const { return {parent(node), token(node)}; }

  // Returns whether the ids of `a` come before those of `b`, compared id by id,
  // a beginning before what it begins.
  bool IdsLess(Prefix a, Prefix b) const;

 private:
  struct Node {
    int32_t parent;
    int32_t token;
    int32_t depth;
    int32_t slot;
    int32_t first_child;
    int32_t next_sibling;
  };

  int32_t Allocate(const Node& node);
  void Free(int32_t node);
  int32_t DepthOf(Prefix prefix) const;

  std::vector<Node> nodes_;
  std::vector<int32_t> free_;
  size_t size_ = 0;
  int32_t stem_ = kRoot;
};

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_PREFIX_TREE_H_
