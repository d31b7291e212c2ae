#include "csrc/decoders/prefix_tree.h"

namespace oasr {

PrefixTree::PrefixTree() { Allocate({kNone, kNone, 0, kNone, kNone, kNone}); }

int32_t PrefixTree::Extend(int32_t node, int32_t token) {
  // Every child leads to a place in the beam, so there are few.
  const int32_t first = nodes_[node].first_child;
  for (int32_t child = first; child != kNone;
       child = nodes_[child].next_sibling) {
    if (nodes_[child].token == token) return child;
  }
  const int32_t child =
      Allocate({node, token, nodes_[node].depth + 1, kNone, kNone, first});
  nodes_[node].first_child = child;
  return child;
}

void PrefixTree::ClearSlot(int32_t node) {
  nodes_[node].slot = kNone;
  while (node != kRoot && nodes_[node].slot == kNone &&
         nodes_[node].first_child == kNone) {
    const int32_t parent = nodes_[node].parent;
    Free(node);
    node = parent;
  }
}

int32_t PrefixTree::Stem() {
  while (nodes_[stem_].slot == kNone) {
    const int32_t child = nodes_[stem_].first_child;
    if (child == kNone || nodes_[child].next_sibling != kNone) break;
    stem_ = child;
  }
  return stem_;
}

std::vector<int64_t> PrefixTree::Ids(int32_t node) const {
  std::vector<int64_t> ids(depth(node));
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    *id = token(node);
    node = parent(node);
  }
  return ids;
}

bool PrefixTree::IdsLess(Prefix a, Prefix b) const {
  const int32_t a_depth = DepthOf(a);
  const int32_t b_depth = DepthOf(b);
  for (int32_t k = a_depth; k > b_depth; --k) a = PrefixOf(a.parent);
  for (int32_t k = b_depth; k > a_depth; --k) b = PrefixOf(b.parent);
  if (a == b) return a_depth < b_depth;
  while (a.parent != b.parent) {
    a = PrefixOf(a.parent);
    b = PrefixOf(b.parent);
  }
  return a.token < b.token;
}

int32_t PrefixTree::DepthOf(Prefix prefix) const {
  return prefix.parent == kNone ? 0 : depth(prefix.parent) + 1;
}

int32_t PrefixTree::Allocate(const Node& node) {
  ++size_;
  if (free_.empty()) {
    nodes_.push_back(node);
    return static_cast<int32_t>(nodes_.size() - 1);
  }
  const int32_t place = free_.back();
  free_.pop_back();
  nodes_[place] = node;
  return place;
}

void PrefixTree::Free(int32_t node) {
  int32_t* link = &nodes_[nodes_[node].parent].first_child;
  while (*link != node) link = &nodes_[*link].next_sibling;
  *link = nodes_[node].next_sibling;
  free_.push_back(node);
  --size_;
}

}  // namespace oasr
