"""Rendering of pages: from templates, in fragments, of what their readers may see. It knows no HTTP."""
