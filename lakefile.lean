import Lake
open Lake DSL

/-! Core Lean only (no Mathlib): every proof can then be checked wherever Lean itself runs. -/

package OnlineKvCache where
  leanOptions := #[⟨`warningAsError, true⟩]

@[default_target]
lean_lib OnlineKvCache where
  srcDir := "formal"
