// Steps in little memory: a plan may have millions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "tools/files/listing/listed_tree.h"
#include "tools/files/plan/step.h"

namespace fsload {

// What the steps of one tree have in common.
struct StepTree {
  Location source;
  Location target;  // none for deletions
  std::shared_ptr<const ListedTree> entries;

  bool moves = false;    // sets `keeps` and `moved_to` of directories
  bool mirrors = false;  // sets `source` of directories to make
  bool by_name = false;  // sets `by_name` of files
};

// The step of an entry of a tree takes 16 bytes besides that entry; 24 more if
// it replaces a file. Thread-safe while nothing is added.
class StepList final {
 public:
  // A tree of this list and an entry of it.
  struct Origin {
    uint32_t tree;
    ListedTree::Id entry;
  };

  class Iterator {
   public:
    Iterator(const StepList& steps, size_t i) : steps_(&steps), i_(i) {}
    Step operator*() const { return (*steps_)[i_]; }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return i_ != other.i_; }

   private:
    const StepList* steps_;
    size_t i_;
  };

  // Adds any step.
  void push_back(Step step);

  // Adds a tree. Its steps follow with Add, which keeps of `step` only what the
  // tree does not tell: its kind and what it replaces.
  uint32_t AddTree(StepTree tree);
  void Add(const Step& step, Origin origin);

  const StepTree& tree(uint32_t number) const { return trees_[number]; }

  // Sorts by the order of execution, in which steps that were added keep theirs
  // otherwise: directories to make, each after its parent; files to transfer,
  // in any order or in parallel; directories to rename; files to delete; the
  // rest of directories; directories to delete, each before its parent.
  void Sort();

  // Removes the steps with the numbers for which `is_out` is true.
  void RemoveIf(const std::function<bool(size_t)>& is_out);

  size_t size() const { return steps_.size(); }
  bool empty() const { return steps_.empty(); }

  Step operator[](size_t i) const;
  Step front() const { return (*this)[0]; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

  // Returns the fields of a step.
  StepKind KindOf(size_t i) const { return steps_[i].kind; }
  int64_t BytesOf(size_t i) const;
  bool Replaces(size_t i) const { return steps_[i].replaces; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Compact {
    uint32_t tree;   // kNone: the step is in others_
    uint32_t entry;  // of the tree, or of others_
    uint32_t there;  // of target_found_, or kNone
    StepKind kind;
    bool replaces;
  };

  std::vector<Compact> steps_;
  std::vector<StepTree> trees_;
  std::vector<FileStatistics> target_found_;
  std::deque<Step> others_;  // in no tree
};

}  // namespace fsload
