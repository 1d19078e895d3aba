/** What other programs call our settings, so that their words are answered with ours. */

/** By our key, with what it is inside of; of several keys the one that the schema has is meant. */
const words: readonly (readonly [ours: readonly string[], theirs: string])[] = [
  [["optimiser.rate", "rate"], "lr learning_rate base_lr init_lr"],
  [["optimiser.weightDecay", "weightDecay", "l2"], "wd weight_decay l2 l2_reg l2_regularizer"],
  [["optimiser", "optimiser.name"], "optim optimizer opt optimizer_name"],
  [["optimiser.momentum"], "beta1"],
  [["schedule", "schedule.name"], "sched scheduler lr_scheduler lr_schedule lr_sched"],
  [["schedule.warmUpSteps"], "warmup warm_up warmup_steps num_warmup_steps"],
  [["schedule.factor"], "gamma lr_gamma lr_decay decay_factor"],
  [["schedule.milestones"], "lr_steps lr_milestones"],
  [["batchSize"], "bs batch train_batch_size per_device_train_batch_size minibatch minibatch_size"],
  [["epochs"], "epoch num_epochs n_epochs max_epochs num_train_epochs nb_epochs"],
  [["steps"], "num_steps n_steps max_steps iterations iters num_iterations n_iters"],
  [["model", "model.name"], "arch architecture backbone network net model_name"],
  [["data", "data.name"], "dataset dataset_name ds task"],
  [["path"], "root dir root_dir data_dir data_root folder file ckpt checkpoint filename"],
  [["data.path"], "root root_dir data_dir data_root data_path"],
  [["method", "method.name"], "algorithm algo alg loss objective method_name"],
  [
    ["settings", "options"],
    "settings options hparams hyperparameters hyper_parameters params kwargs config cfg args opts",
  ],
  [["name"], "type kind class id"],
  [["by"], "rule metric criterion monitor name attribute"],
  [["select", "select.by"], "selection model_selection early_stopping_metric monitor"],
  [["patience"], "early_stopping early_stop early_stopping_patience"],
  [["clipNorm"], "clip grad_clip clip_grad clip_grad_norm max_grad_norm gradient_clip_val max_norm"],
  [["averageDecay"], "ema ema_decay model_ema swa"],
  [["augment"], "aug augs augmentation augmentations transform transforms data_augmentation"],
  [["view"], "name type transform op"],
  [["with"], "settings options params kwargs args"],
  [["probability"], "p prob"],
  [["alpha"], "mixup_alpha cutmix_alpha beta"],
  [["aspect"], "ratio aspect_ratio"],
  [["fill"], "value"],
  [["weights", "weights.path"], "pretrained pretrained_weights checkpoint ckpt init_weights init resume"],
  [["weights.freshHead", "freshHead"], "reset_head new_head reset_fc"],
  [["freeze"], "frozen freeze_layers frozen_layers trainable"],
  [["pixels"], "normalize normalise normalization standardize"],
  [["deviation"], "std stddev sigma"],
  [["seed"], "random_seed random_state manual_seed rng rng_seed"],
  [["seeds"], "seed n_seeds num_seeds trials n_trials repeats"],
  [["threads"], "num_threads n_threads workers num_workers n_jobs"],
  [["device"], "gpu gpus cuda accelerator"],
  [["method.explicit"], "groups group_by cues bias_labels attributes"],
  [
    ["data.environments.holdOut", "holdOut"],
    "hold_out held_out test_env test_envs test_environment leave_out",
  ],
  [["data.environments.trainOn", "trainOn"], "train_env train_envs train_environments"],
  [["base"], "common default defaults shared template"],
  [["runs"], "entries experiments jobs configs methods"],
  [["label"], "name title id"],
  [["search"], "sweep grid parameters params search_space hyperparameters tune"],
  [["stages"], "grid random parameters steps space"],
  [["count"], "n num num_samples samples trials n_trials n_iter"],
  [["started"], "date time day when created start start_time timestamp"],
  [["took"], "duration elapsed runtime wall_time"],
  [["log"], "loguniform log_uniform logspace"],
  [["between"], "uniform range interval min max"],
  [["of"], "choice choices values among"],
];

const byTheirs = new Map<string, string[]>();
for (const [ours, theirs] of words)
  for (const word of theirs.split(" "))
    byTheirs.set(plain(word), [...(byTheirs.get(plain(word)) ?? []), ...ours]);

/** Ours for a word of others, likeliest first; none where nobody is known to use it. */
export function ourWords(word: string): readonly string[] {
  return byTheirs.get(plain(word)) ?? [];
}

/** The same for `batch_size`, `batch-size`, `batchSize` and `BATCH_SIZE`. */
export function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[_\s-]/g, "");
}
