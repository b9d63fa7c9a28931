"""What a person sees and types: boards, prompt, questions."""
