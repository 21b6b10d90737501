/- The audit, in Lean: describe every constant of the compiled library, then have the kernel check
each of them again in an environment that holds nothing but `Init`.

The library is loaded as data (`importModules`), so none of its syntax or code is active here.
`importAll` also loads the bodies of proofs.  Only own recursion over lists, no higher-order
functions: the embedded build cannot compile calls of many `Init` helpers.

An audit may cover a part of the library.  What the part uses of other modules is then added to the
kernel's environment as well, of a theorem only its type, as an axiom, and is written out
(`foreign`), so that the reader can compare it with the audit of its own module, where its proof is
checked.

One line for each fact, of tokens separated by blanks; names are written ."A"."b".3:
  module NAME | const NAME KIND MODULE FLAGS | type NAME EXPR | value NAME EXPR
  uses NAME NAME… | ctors NAME NAME… | imported NAME KIND | refused NAME | replayed COUNT | end
  foreign NAME KIND | ftype NAME EXPR | fvalue NAME EXPR | fctors NAME NAME…
-/
namespace EvaluatorAudit

open Lean

/-! ### Text -/

/-- A name, component by component: unambiguous, and no pretty-printer is involved. -/
meta def name : Name → String → String
  | .anonymous, s => s
  | .str p c, s => ((name p s).append ".").append c.quote
  | .num p i, s => ((name p s).append ".").append (Nat.repr i)

meta def quoted (n : Name) (s : String) : String := (name n s).append " "

meta def quotedAll : List Name → String → String
  | [], s => s
  | n :: l, s => quotedAll l (quoted n s)

meta def line (word : String) (n : Name) (s : String) : String :=
  quoted n ((s.append word).append " ")

meta def level : Level → String → String
  | .zero, s => s.append "0 "
  | .succ l, s => level l (s.append "s ")
  | .max a b, s => level b (level a (s.append "m "))
  | .imax a b, s => level b (level a (s.append "i "))
  | .param n, s => quoted n (s.append "p ")
  | .mvar _, s => s.append "? "

meta def count : List Level → Nat
  | [] => 0
  | _ :: l => count l + 1

meta def levels : List Level → String → String
  | [], s => s
  | l :: r, s => levels r (level l s)

/-- An expression in prefix form, without names of bound variables and without metadata. -/
meta def expr : Expr → String → String
  | .bvar i, s => (s.append "b ").append ((Nat.repr i).append " ")
  | .sort l, s => level l (s.append "S ")
  | .const n ls, s =>
    levels ls ((quoted n (s.append "C ")).append ((Nat.repr (count ls)).append " "))
  | .app f a, s => expr a (expr f (s.append "A "))
  | .lam _ t b _, s => expr b (expr t (s.append "L "))
  | .forallE _ t b _, s => expr b (expr t (s.append "P "))
  | .letE _ t v b _, s => expr b (expr v (expr t (s.append "T ")))
  | .lit (.natVal n), s => (s.append "N ").append ((Nat.repr n).append " ")
  | .lit (.strVal v), s => (s.append "Q ").append (v.quote.append " ")
  | .mdata _ e, s => expr e s
  | .proj n i e, s => expr e ((quoted n (s.append "J ")).append ((Nat.repr i).append " "))
  | .fvar _, s => s.append "? "
  | .mvar _, s => s.append "? "

/-! ### Description -/

meta def bodyOf : ConstantInfo → Option Expr
  | .thmInfo v => some v.value
  | .defnInfo v => some v.value
  | .opaqueInfo v => some v.value
  | _ => none

meta def kindOf : ConstantInfo → String
  | .axiomInfo _ => "axiom"
  | .defnInfo _ => "definition"
  | .thmInfo _ => "theorem"
  | .opaqueInfo _ => "opaque"
  | .quotInfo _ => "quotient"
  | .inductInfo _ => "inductive"
  | .ctorInfo _ => "constructor"
  | .recInfo _ => "recursor"

meta def originalKind (env : Environment) (n : Name) : String :=
  match getOriginalConstKind? env n with
  | some .axiom => "axiom"
  | some .defn => "definition"
  | some .thm => "theorem"
  | some .opaque => "opaque"
  | some .quot => "quotient"
  | some .induct => "inductive"
  | some .ctor => "constructor"
  | some .recursor => "recursor"
  | none => "unknown"

meta def flags (env : Environment) (n : Name) (ci : ConstantInfo) : String :=
  let s := if ci.isUnsafe then "unsafe " else ""
  let s := if ci.isPartial then s.append "partial " else s
  let s := match Compiler.getImplementedBy? env n with
    | some _ => s.append "implemented_by "
    | none => s
  if isExtern env n then s.append "extern " else s

meta def usesOf (ci : ConstantInfo) (s : String) : String :=
  let s := quotedAll ci.type.getUsedConstants.toList s
  match bodyOf ci with
  | some v => quotedAll v.getUsedConstants.toList s
  | none => s

/-- Values of definitions are written out; of proofs only the constants that they use. -/
meta def describe (env : Environment) (m n : Name) (ci : ConstantInfo) (s : String) : String :=
  let s := (quoted m ((line "const" n s).append ((kindOf ci).append " "))).append (flags env n ci)
  let s := (expr ci.type (line "type" n (s.append "\n"))).append "\n"
  let s := match ci with
    | .defnInfo v => (expr v.value (line "value" n s)).append "\n"
    | .opaqueInfo v => (expr v.value (line "value" n s)).append "\n"
    | .inductInfo v => (quotedAll v.ctors (line "ctors" n s)).append "\n"
    | _ => s
  (usesOf ci (line "uses" n s)).append "\n"

/-- A constant of a module outside the part, as the part sees it. -/
meta def describeForeign (n : Name) (ci : ConstantInfo) (s : String) : String :=
  let s := ((line "foreign" n s).append (kindOf ci)).append "\n"
  let s := (expr ci.type (line "ftype" n s)).append "\n"
  match ci with
  | .defnInfo v => (expr v.value (line "fvalue" n s)).append "\n"
  | .opaqueInfo v => (expr v.value (line "fvalue" n s)).append "\n"
  | .inductInfo v => (quotedAll v.ctors (line "fctors" n s)).append "\n"
  | _ => s

meta def describeAll (env : Environment) (m : Name) : List Name → String → String
  | [], s => s
  | n :: l, s => match env.find? n with
    | some ci => describeAll env m l (describe env m n ci s)
    | none => describeAll env m l ((line "refused" n s).append "\n")

meta def constants (env : Environment) (m : Name) : List Name :=
  match env.getModuleIdx? m with
  | none => []
  | some i => match env.header.moduleData[i.toNat]? with
    | none => []
    | some d => d.constNames.toList

meta def describeModules (env : Environment) : List Name → String → String
  | [], s => s
  | m :: l, s => describeModules env l
      (describeAll env m (constants env m) ((line "module" m s).append "\n"))

/-! ### Kernel -/

/-- `true`: all that the constant needs has been added, now add the constant itself. -/
abbrev Task := Name × Bool

meta structure State where
  kernel : Kernel.Environment
  own : NameSet
  seen : NameSet
  count : Nat
  text : String

meta def State.refuse (s : State) (n : Name) : State :=
  { s with text := (line "refused" n s.text).append "\n" }

meta def pushAll : List Name → List Task → List Task
  | [], w => w
  | n :: l, w => pushAll l ((n, false) :: w)

meta def pushCtors (env : Environment) : List Name → List Task → List Task
  | [], w => w
  | n :: l, w => match env.find? n with
    | some ci => pushCtors env l (pushAll ci.type.getUsedConstants.toList w)
    | none => pushCtors env l w

/-- A theorem of a module outside the part is taken as an axiom: its proof is checked elsewhere. -/
meta def asSeen (own : NameSet) (n : Name) (ci : ConstantInfo) : ConstantInfo :=
  match ci with
  | .thmInfo v => if own.contains n then ci else
    .axiomInfo { name := v.name, levelParams := v.levelParams, type := v.type, isUnsafe := false }
  | _ => ci

/-- Everything that must be in the kernel's environment before `ci`. -/
meta def enter (env : Environment) (n : Name) (ci : ConstantInfo) (w : List Task) : List Task :=
  let w := pushAll ci.type.getUsedConstants.toList ((n, true) :: w)
  let w := match bodyOf ci with
    | some v => pushAll v.getUsedConstants.toList w
    | none => w
  match ci with
  | .inductInfo v => pushCtors env v.ctors (pushAll v.all w)
  | .ctorInfo v => (v.induct, false) :: w
  | .recInfo v => pushAll v.all w
  | _ => w

meta def ctorsOf (env : Environment) : List Name → List Constructor
  | [] => []
  | n :: l => match env.find? n with
    | some ci => ⟨n, ci.type⟩ :: ctorsOf env l
    | none => ctorsOf env l

meta def typesOf (env : Environment) : List Name → List InductiveType
  | [] => []
  | n :: l => match env.find? n with
    | some (.inductInfo v) => ⟨n, v.type, ctorsOf env v.ctors⟩ :: typesOf env l
    | _ => typesOf env l

meta def State.add (s : State) (n : Name) (d : Declaration) : State :=
  match s.kernel.addDecl {} d with
  | .ok k => { s with kernel := k, count := s.count + 1 }
  | .error _ => s.refuse n

/-- Constructors and recursors must be those that the kernel makes itself. -/
meta def State.compare (s : State) (n : Name) (ci : ConstantInfo) : State :=
  match ci, s.kernel.find? n with
  | .ctorInfo v, some (.ctorInfo w) => if v == w then s else s.refuse n
  | .recInfo v, some (.recInfo w) => if v == w then s else s.refuse n
  | .inductInfo v, some (.inductInfo w) => if v.type == w.type then s else s.refuse n
  | _, _ => s.refuse n

/-- Unsafe and partial constants are not for the kernel; what rests on one is refused with it. -/
meta def leave (env : Environment) (n : Name) (ci : ConstantInfo) (s : State) : State :=
  if ci.isUnsafe then s else if ci.isPartial then s else
  match ci with
  | .thmInfo v => s.add n (.thmDecl v)
  | .defnInfo v => s.add n (.defnDecl v)
  | .opaqueInfo v => s.add n (.opaqueDecl v)
  | .axiomInfo v => s.add n (.axiomDecl v)
  | .inductInfo v => match s.kernel.find? n with
    | some _ => s.compare n ci
    | none => s.add n (.inductDecl v.levelParams v.numParams (typesOf env v.all) v.isUnsafe)
  | _ => s.compare n ci

/-- The first number only ends the recursion: it is larger than the number of tasks. -/
meta def replay (env : Environment) : Nat → List Task → State → State
  | 0, _, s => s.refuse `outOfFuel
  | _, [], s => s
  | k + 1, (n, true) :: w, s => match env.find? n with
    | some ci =>
      let ci := asSeen s.own n ci
      let s := if s.own.contains n then s else { s with text := describeForeign n ci s.text }
      replay env k w (leave env n ci s)
    | none => replay env k w (s.refuse n)
  | k + 1, (n, false) :: w, s =>
    if s.seen.contains n then replay env k w s else
    let s := { s with seen := s.seen.insert n }
    match env.find? n with
    | none => replay env k w (s.refuse n)
    | some ci => match s.kernel.find? n with
      | none => replay env k (enter env n (asSeen s.own n ci) w) s
      | some _ => replay env k w
          { s with text := ((line "imported" n s.text).append (originalKind env n)).append "\n" }

meta def tasks (env : Environment) : List Name → List Task → List Task
  | [], w => w
  | m :: l, w => tasks env l (pushAll (constants env m) w)

meta def insertAll : List Name → NameSet → NameSet
  | [], s => s
  | n :: l, s => insertAll l (s.insert n)

meta def ownOf (env : Environment) : List Name → NameSet → NameSet
  | [], s => s
  | m :: l, s => ownOf env l (insertAll (constants env m) s)

meta def importsOf : List Name → Array Import
  | [] => #[{ module := `Init }]
  | m :: l => (importsOf l).push { module := m, importAll := true }

/-- Write the audit of the library's modules, compiled in `folder`, into a file. -/
meta def audit (folder : String) (modules : List Name) (path : String) : IO Unit := do
  searchPathRef.set (folder :: (← searchPathRef.get))
  let env := (← importModules (importsOf modules) {}).setExporting false
  let base ← importModules #[{ module := `Init }] {}
  let text := describeModules env modules ""
  let own := ownOf env modules {}
  let s := replay env 100000000 (tasks env modules []) ⟨base.toKernelEnv, own, {}, 0, text⟩
  IO.FS.writeFile path (((s.text.append "replayed .").append (Nat.repr s.count)).append "\nend\n")

end EvaluatorAudit
