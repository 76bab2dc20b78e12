# Goose, prompt_submit: context that is replaced each turn.
echo '{"context_injection": "A release is being prepared."}'
