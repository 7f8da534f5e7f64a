//===- Families.cpp - The list of model families ---------------------------===//

#include "Families.h"

using namespace mlir;
using namespace mlir::tp;

ArrayRef<FamilyEntry> tp::getFamilies() {
  static const FamilyEntry families[] = {
      {"bert", "BertModel", createBert},
      {"falcon", "FalconForCausalLM", createFalcon},
      {"gemma3_text", "Gemma3ForCausalLM", createGemma3},
      {"gpt2", "GPT2LMHeadModel", createGPT2},
      {"gpt_neox", "GPTNeoXForCausalLM", createGPTNeoX},
      {"llama", "LlamaForCausalLM", createLlama},
      {"mistral", "MistralForCausalLM", createMistral},
      {"phi", "PhiForCausalLM", createPhi},
      {"qwen2", "Qwen2ForCausalLM", createQwen2},
      {"qwen3", "Qwen3ForCausalLM", createQwen3},
  };
  return families;
}

ArrayRef<StringRef> tp::getModelFields() {
  static constexpr StringRef fields[] = {
      // Sizes
      "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim",
      "intermediate_size", "num_kv_heads", "ffn_hidden_size", "n_embd", "n_head", "n_layer",
      "n_positions", "n_inner",
      // Positions
      "rope_theta", "rope_scaling", "rope_parameters", "rope_interleaved", "rope_local_base_freq",
      "rotary_pct", "rotary_emb_base", "partial_rotary_factor", "no_rope_layers", "alibi",
      "position_embedding_type", "type_vocab_size",
      // Attention
      "attention_bias", "use_qkv_bias", "qkv_bias", "qk_layernorm", "use_qk_norm", "clip_qkv",
      "query_pre_attn_scalar", "attention_multiplier", "attn_logit_softcapping",
      "scale_attn_weights", "scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn",
      "add_cross_attention", "is_decoder", "multi_query", "sliding_window", "use_sliding_window",
      "max_window_layers", "layer_types", "sliding_window_pattern", "attention_chunk_size",
      "kv_lora_rank", "q_lora_rank", "use_bidirectional_attention",
      // Blocks
      "hidden_act", "hidden_activation", "activation_function", "activation", "mlp_bias", "bias",
      "rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "use_parallel_residual",
      "parallel_attn", "new_decoder_architecture", "num_ln_in_parallel_attn",
      "apply_residual_connection_post_layernorm", "residual_multiplier", "embedding_multiplier",
      // Head and experts
      "final_logit_softcapping", "logit_scale", "logits_scaling", "num_experts",
      "num_local_experts", "n_routed_experts", "quantization_config"};
  return fields;
}
