export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/**
 * Completion scripts for both names of the program. They call the installed program, so they need no update. Bash
 * splits words at `=`, `:` and `@` and replaces only the last part.
 */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `_parley_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} current=\${COMP_WORDS[COMP_CWORD]} typed kept value
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  typed=\${words[\${#words[@]}-1]}
  [[ $current == [=:@] ]] && current=""
  kept=\${typed%"$current"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    COMPREPLY+=("\${value#"$kept"}")
  done < <("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *[=,] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -o nosort -F _parley_complete stack parley 2>/dev/null ||
  complete -o default -F _parley_complete stack parley
`,
  zsh: `#compdef stack parley
_parley_complete() {
  local line
  local -a lines shown
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    [[ -z $line ]] && continue
    local value="\${line%%$'\\t'*}" description=""
    [[ $line == *$'\\t'* ]] && description="\${line#*$'\\t'}"
    shown+=("\${value//:/\\\\:}:$description")
  done
  if (( \${#shown} )); then _describe -V 'parley' shown; else _files; fi
}
compdef _parley_complete stack parley
`,
  fish: `function __parley_complete
    set -l words (commandline -opc)
    set -l found ($words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c stack -f -k -a '(__parley_complete)'
complete -c parley -f -k -a '(__parley_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName stack, parley -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  $rest = @($words | Select-Object -Skip 1)
  & $words[0] __complete @rest 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
  }
}
`,
};

/** How to enable the script of a shell permanently. */
export const completionHints: Readonly<Record<Shell, string>> = {
  bash: `echo 'eval "$(stack autocomplete bash)"' >> ~/.bashrc`,
  zsh: `echo 'eval "$(stack autocomplete zsh)"' >> ~/.zshrc   (after compinit)`,
  fish: 'stack autocomplete fish > ~/.config/fish/completions/stack.fish',
  powershell: 'stack autocomplete powershell >> $PROFILE',
};
