# Lime, SessionStart: a word for the user.
echo '{"systemMessage": "Hooks of five agents are armed."}'
