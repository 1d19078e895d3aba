/** `cuelab completion`: scripts for bash, zsh and fish, which ask the program itself what may come next. */

import { Argument, type Command } from "commander";
import { complete } from "../complete.ts";
import type { Session } from "../program.ts";

const scripts = {
  bash: `_cuelab() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(cuelab __complete "\${words[@]}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _cuelab cuelab
`,
  zsh: `#compdef cuelab
_cuelab() {
  local -a candidates
  candidates=("\${(@f)$(cuelab __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=(\${candidates:#})
  if (( ! \${#candidates} )); then _files; return; fi
  compadd -Q -- "\${(@)candidates:#*=}"
  compadd -Q -S '' -- "\${(@M)candidates:#*=}"
}
compdef _cuelab cuelab
`,
  fish: `function __cuelab_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates (cuelab __complete $words[2..-1] 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c cuelab -f -a '(__cuelab_complete)'
`,
};

export function addCompletion(program: Command, { console }: Session): void {
  program
    .command("completion")
    .description("print a completion script for your shell")
    .addArgument(new Argument("<shell>").choices(Object.keys(scripts)))
    .addHelpText(
      "after",
      `
Examples:
  $ source <(cuelab completion bash)
  $ cuelab completion zsh > ~/.zfunc/_cuelab
  $ cuelab completion fish > ~/.config/fish/completions/cuelab.fish`,
    )
    .action((shell: keyof typeof scripts) => console.data(scripts[shell].trimEnd()));

  program
    .command("__complete [words...]", { hidden: true })
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action((words: string[]) => {
      const candidates = complete(program, words);
      if (candidates.length > 0) console.print(candidates.join("\n"));
    });
}
