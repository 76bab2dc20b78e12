# Lime after a tool and Goose at the end: nobody waits for it.
{ cat; echo; } >>hooks.log
