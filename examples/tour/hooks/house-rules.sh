# Robota, SessionStart: plain text is context for the model.
echo "Pages are published by copying them to published.html."
