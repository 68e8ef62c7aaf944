ALTER TABLE "import_row" ADD COLUMN "cells" jsonb;
