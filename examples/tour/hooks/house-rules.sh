# Robota, SessionStart: plain text is context for the model.
echo "This repository uses pnpm, not npm."
