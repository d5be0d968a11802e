"""The store on a database, in SQLAlchemy Core."""
