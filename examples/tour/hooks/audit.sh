# Lime and Goose, after a tool and at the end: nobody waits for it.
{ cat; echo; } >>"$TOUR_DIR/audit.jsonl"
