//===- Propagation.h - From annotations to every value ---------*- C++ -*-===//
//
// Gives every tensor value of the module a sharding, starting from the annotated
// ones, through the factors of the sharding rules. Axes spread from where they
// are in rounds, one op at a time and from all annotations at once, so that a
// value follows its nearest annotation. An op whose operands want one axis on two
// factors waits until nothing else moves; then priority decides, then what the op
// would communicate under each (the op where this differs most is decided first,
// and what it gathers is there for others), then bytes, operand number, dimension
// and mesh order. All of a round's proposals are made from the state before it:
// the order of ops does not matter.
//
// Annotations of a later priority come after all that. They do not cut a value
// that every use needs whole, at once, in what is made of it, or because the axis
// cuts something else in it, by an axis of which that is so in one of these uses: for
// that use the value is gathered, and then the others can have it, too.
//
// Ops in regions through which control flows are ops like others; what a loop or a
// conditional carries is one value (RegionFlow.h), connected to what flows into it.
// What a loop carries and ops in it would gather in each trip is carried whole instead,
// where that costs less: it is gathered once before the loop.
//
// Partial values are not spread: a value's sharding is the one in which it is
// whole again. The ops' strategies and the reductions follow from it later.
//
//===----------------------------------------------------------------------===//

#ifndef TP_ANALYSIS_PROPAGATION_H
#define TP_ANALYSIS_PROPAGATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Analysis/ShardingTable.h"
#include "tp/Analysis/Strategy.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <deque>
#include <set>
#include <unordered_set>

namespace mlir {
namespace tp {

/// What the program says of a value: `tp.sharding` (null: nothing), `tp.priority`,
/// `tp.group` (empty: none) and `tp.plan_line`.
struct Annotation {
  ShardingAttr sharding;
  int64_t priority = 0;
  StringRef group, planLine;
};

/// The annotation of what the region op `op` carries: of the result or block
/// argument that has one. One error where two have different ones.
FailureOr<Annotation> findAnnotation(Operation *op, const FlowValue &value);

class Propagation {
public:
  /// Reads annotations of the module's functions: `tp.sharding` on arguments,
  /// results and ops, `tp.arg_sharding`, `tp.constraint`. They must be verified, and
  /// findAnnotation succeed for all that region ops carry.
  Propagation(ModuleOp module, const Mesh &mesh);

  /// Makes one of values that are one: a parameter or a state in all entries, a state
  /// and its new value, a group (`tp.group`). One error where two of them have
  /// different shapes or annotations. Before `run`.
  LogicalResult joinValues();

  /// Spreads axes until nothing changes.
  void run();

  /// Writes `tp.sharding` on every argument, result and op with a rule, all
  /// closed, in place of what was there, `tp.cut_priority` where cuts came with a later priority
  /// and `tp.factor_priority` where factors of an op want one axis; with `explain`, `tp.why` beside
  /// it.
  void annotate(bool explain);

private:
  /// Where the cuts of a dimension came from.
  struct Origin {
    int source = -1;          ///< node whose dimension it was copied from; itself when annotated
    Operation *via = nullptr; ///< op whose rule connected them
  };

  /// A value, or several that are one (an argument of several entries, a state
  /// and its new value, what a loop carries, a group).
  struct Node {
    Node(RankedTensorType type, Location loc) : type(type), loc(loc) {}

    int64_t priority() const { return annotation.priority; }

    RankedTensorType type;
    Sharding sharding;
    SmallVector<Origin, 4> origins;
    SmallVector<int64_t, 4> priorities;              ///< of the annotations that cut each dimension
    SmallVector<SmallVector<AxisPart, 1>, 0> barred; ///< axes per dimension; empty: none
    SmallVector<unsigned, 2> ops;                    ///< that use or define it
    SmallVector<AxisPart, 0> gathered; ///< axes over which an op that was decided has it whole
    Annotation annotation;             ///< its own, or that of a value that it is one with
    bool annotated = false;            ///< by axes
    bool carriedWhole = false;         ///< some axis is kept from what a loop carries
    bool isArgument = false;
    Block *home = nullptr;     ///< where it is made; null for results of functions
    Operation *loop = nullptr; ///< that carries it
    /// The value, or that with the annotation; null: result `result` of `function`.
    Value value;
    func::FuncOp function;
    unsigned result = 0;
    Location loc; ///< of the annotation, or of the value
  };

  /// Compares rules by what propagation reads of them, all but `captured` and `linearIn`.
  struct SameFactors {
    size_t operator()(const ShardingRule &rule) const;
    bool operator()(const ShardingRule &a, const ShardingRule &b) const;
  };

  /// An op (or a value that is returned, or flows into what a region op carries)
  /// with the nodes of its tensors.
  struct Element {
    Operation *op;
    const ShardingRule *rule; ///< shared by ops with the same factors
    SmallVector<int, 4> operands;
    SmallVector<int, 2> results;
    /// Whether the results have uses that no element after this one stands for.
    bool escapes = false;
    /// What a barrier stops: axes of its operand or of its result spread no further.
    bool silentOperands = false, silentResults = false;
  };

  /// An axis list that one tensor has on a factor.
  struct Claim {
    Cuts cuts;
    int node;
    const TensorRule *tensor;
    bool isOperand;
    std::tuple<int64_t, int64_t, unsigned, unsigned> key; ///< smaller wins
    /// Of the tensor, operands first.
    unsigned number() const { return std::get<2>(key); }
  };

  /// A longer axis list for a dimension of a node.
  struct Proposal {
    int node;
    unsigned dim;
    Cuts cuts;
    Claim claim;
    Operation *via;
  };

  /// An axis that cuts another factor of an op, so that it needs the node whole.
  struct Gather {
    int node;
    AxisPart part;
  };

  /// What an op of a loop communicates: it gathers an operand, or reduces a result.
  struct Transfer {
    Operation *op;
    bool isGather;
    int node;
    unsigned dim; ///< of the node, where it is gathered
    AxisPart part;
    double microseconds; ///< each time
  };

  /// An axis that is kept from a dimension of what a loop carries.
  struct Bar {
    int node;
    unsigned dim;
    AxisPart part;
    bool operator<(const Bar &o) const {
      return std::tie(node, dim, part) < std::tie(o.node, o.dim, o.part);
    }
  };

  /// Per factor of an op, what its tensors have there, the best first.
  using Claims = SmallVector<SmallVector<Claim, 2>, 4>;

  /// What elements say in a round.
  struct Round {
    SmallVector<Proposal> proposals;
    SmallVector<Gather> gathers;
    SmallVector<std::pair<Operation *, DenseI64ArrayAttr>> decisions;
  };

  /// Elements that wait because factors compete for an axis, those first for which
  /// the difference in bytes between the best choice and the next is largest.
  class Contests {
  public:
    void set(unsigned element, std::optional<double> difference);
    bool empty() const { return order.empty(); }
    /// Takes out all elements of the largest difference.
    std::vector<unsigned> takeClearest();

  private:
    std::set<std::pair<double, unsigned>> order; ///< negated difference, element
    llvm::DenseMap<unsigned, double> differences;
  };

  int addNode(RankedTensorType type, const Annotation &annotation, Location loc);
  int nodeOf(Value value);
  void addFunction(func::FuncOp function);
  void addBlock(Block &block);
  void addOp(Operation *op);
  void addWithoutRule(Operation *op);
  void addRegionOp(Operation *op);
  void connect(Element element);
  /// The one rule that all ops with these factors have.
  const ShardingRule *share(ShardingRule &&rule);
  Element alike(Operation *op, int from, int to);
  void connectAlike(Operation *op, int from, int to, bool escapes = false);
  /// Makes `other` the same value as `id`, because both are `what`.
  LogicalResult join(int id, int other, StringRef what);
  /// The nodes that are one value because they are `what`.
  SmallVector<int> &whatIs(const Twine &what);
  std::string nameOf(const Node &node) const;
  void spread(int64_t priority);
  /// Spreads the annotations of all priorities, without what `bars` keep out.
  void spreadAll(const std::set<Bar> &bars);
  /// What the op communicates in the state that is reached.
  void collectTransfers(const Element &element, std::vector<Transfer> &transfers) const;
  /// Estimated microseconds that each loop communicates each time that it runs.
  DenseMap<Operation *, double> timeLoops(ArrayRef<Transfer> transfers) const;
  /// What loops may better carry whole, by what they gather; none of it `refused`.
  std::set<Bar> findCarriedWhole(ArrayRef<Transfer> transfers, const std::set<Bar> &refused) const;
  /// Where the axis comes from that cuts this dimension: a node, a dimension of it.
  std::optional<std::pair<int, unsigned>> sourceOf(int node, unsigned dim,
                                                   const AxisPart &part) const;
  /// Collects the axes that later annotations do not bring to a dimension.
  void barAxes();
  /// The same for one of the axes that cut anything.
  void barAxis(const AxisPart &part);
  Claims collectClaims(const Element &element, int64_t priority) const;
  /// Bytes that a rank sends for the op if `keeper`, or no factor, is what `part`
  /// cuts.
  double costOfKeeping(const Element &element, std::optional<unsigned> keeper,
                       const AxisPart &part) const;
  /// The same if factors get the axes that they claim in this order.
  double costOfOrder(const Element &element, ArrayRef<std::optional<Claim>> claims,
                     ArrayRef<unsigned> order) const;
  /// Adds what the op proposes; where factors compete for an axis, only with
  /// `settle`. Returns, where some do, by how many bytes the choice is the best.
  std::optional<double> propose(const Element &element, int64_t priority, bool settle,
                                Round &round) const;
  /// One round: proposals of the elements in `work`, which becomes those to look
  /// at next; `contests` collects the elements that wait.
  void round(std::vector<unsigned> &work, Contests &contests, int64_t priority, bool settle);
  /// Adds what the cuts of the factors, which come from the claims, make of the node.
  void proposeFor(const Element &element, const TensorRule &tensor, int node,
                  ArrayRef<std::optional<Claim>> claims, ArrayRef<Cuts> cuts,
                  SmallVectorImpl<Proposal> &proposals) const;
  bool accept(const Proposal &proposal);
  void annotateOp(Operation *op, bool explain);
  ShardingAttr attrOf(int node);
  /// Priorities of the dimensions that are cut; null where all are the first.
  DenseI64ArrayAttr prioritiesOf(int node) const;
  std::string explain(int node) const;
  /// Why a neighbour's axis does not cut the dimension; empty where no neighbour has one.
  std::string explainWhole(int node, unsigned dim) const;
  std::string describeAnnotation(int node) const;

  ModuleOp module;
  Mesh mesh;
  ShardingTable shardings;
  std::deque<Node> nodes;
  std::deque<Element> elements;
  std::unordered_set<ShardingRule, SameFactors, SameFactors> rules;
  DenseMap<Value, int> values;
  /// Of ops whose factors compete for an axis, the order in which they get it.
  DenseMap<Operation *, DenseI64ArrayAttr> decisions;
  DenseMap<std::pair<Operation *, unsigned>, int> resultSlots;
  /// Nodes that are one value, by what they are, in the order of the program.
  llvm::MapVector<StringAttr, SmallVector<int>> joined;
};

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_PROPAGATION_H
