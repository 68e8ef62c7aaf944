CREATE INDEX "paper_label_ids_i" ON "paper" USING gin ("label_ids") WHERE deleted_at is null;
