"""Problems as files: what is written, in which formats, with a manifest that says how."""
