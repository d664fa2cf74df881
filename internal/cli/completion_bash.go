package cli

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// bashWords stands for the functions of the package bash-completion that the script
// calls, where that package is not loaded. Bash breaks words at = and :, also where
// they are part of a value.
const bashWords = `
# Words of the command line: of bash-completion where it is loaded.
__kongctl_words()
{
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local i word before= joined= rest=${COMP_LINE}
    words=()
    cword=0
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        word=${COMP_WORDS[i]}
        joined=
        if ((i > 0)) && [[ $rest != [[:space:]]* && ( $word == [=:]* || $before == *[=:] ) ]]; then
            joined=1
        fi
        rest=${rest#"${rest%%[![:space:]]*}"}
        rest=${rest#"$word"}
        if [[ -n $joined ]]; then
            words[${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
        before=$word
        if ((i == COMP_CWORD)); then
            cword=$((${#words[@]} - 1))
        fi
    done
    cur=${words[cword]}
    prev=
    if ((cword > 0)); then
        prev=${words[cword-1]}
    fi
}

# Files and folders: of bash-completion where it is loaded.
__kongctl_files()
{
    if declare -F _filedir >/dev/null 2>&1; then
        _filedir "$@"
        return
    fi
    if [[ $(type -t compopt) == builtin ]]; then
        compopt -o filenames
    fi
    local kind=-f
    if [[ ${1-} == -d ]]; then
        kind=-d
    fi
    IFS=$'\n' read -ra COMPREPLY -d '' < <(compgen "$kind" -- "$cur")
}
`

// bashQuote stands for printf %q, which also quotes commas: lists are easier to read
// and to continue without.
const bashQuote = `
# Words as they are written on a command line, one in a line.
__kongctl_quote()
{
    local word
    for word in "$@"; do
        word=$(printf "%q" "$word")
        printf "%s\n" "${word//\\,/,}"
    done
}
`

// writeBashCompletion writes the script for bash, which does without the package
// bash-completion.
func writeBashCompletion(out io.Writer, root *cobra.Command) error {
	var script bytes.Buffer
	if err := root.GenBashCompletionV2(&script, true); err != nil {
		return err
	}
	text := strings.NewReplacer(
		`_get_comp_words_by_ref "$@" cur prev words cword`, `__kongctl_words "$@"`,
		"_filedir", "__kongctl_files",
		`printf "%q" "${COMPREPLY`, `__kongctl_quote "${COMPREPLY`,
		`printf "%q\n" "${COMPREPLY`, `__kongctl_quote "${COMPREPLY`,
	).Replace(script.String())
	_, err := io.WriteString(out, text+bashWords+bashQuote)
	return err
}
