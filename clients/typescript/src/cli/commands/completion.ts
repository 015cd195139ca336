import { type Command, command } from "../command.ts";
import { completionOf, shells } from "../completion.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";

/** @param commands returns all commands, this one included */
export const completion = (commands: () => readonly Command[]): Command =>
  command({
    usage: "completion SHELL",
    about: "Print the completion for bash, zsh or fish",
    help: `
Prints a script that completes commands and options in your shell.

  qr completion bash > ~/.local/share/bash-completion/completions/qr
  qr completion zsh > ~/.zfunc/_qr      # a folder in fpath, before compinit
  qr completion fish > ~/.config/fish/completions/qr.fish
`,
    options: {},
    choices: { SHELL: shells },
    async run({ args: [given = ""] }) {
      const shell = shells.find((each) => each === given);
      if (shell === undefined) throw new UsageError(`Completion is for ${shells.join(", ")}, not ${given}`);
      process.stdout.write(completionOf(shell, commands()));
      return exitCodes.ok;
    },
  });
