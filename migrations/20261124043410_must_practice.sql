ALTER TABLE "paper" ADD COLUMN "modes" bigint[];
ALTER TABLE "offer" ADD COLUMN "paper_ids" bigint[];
ALTER TABLE "offer" ADD COLUMN "plan_days" bigint;
ALTER TABLE "offer" ADD COLUMN "day_plan" jsonb;
CREATE INDEX "offer_paper_ids_i" ON "offer" USING gin ("paper_ids") WHERE deleted_at is null;
