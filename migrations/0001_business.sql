DROP INDEX "app_school_partner_id_name_u";
ALTER TABLE "app_school" ALTER COLUMN "partner_id" DROP NOT NULL;
ALTER TABLE "app_school" ALTER COLUMN "expire_at" DROP NOT NULL;
ALTER TABLE "app_school" ADD COLUMN "self_run" integer DEFAULT 0 NOT NULL;
CREATE UNIQUE INDEX "app_school_name_u" ON "app_school" USING btree ("name") WHERE deleted_at is null and ("self_run" = 1);
CREATE UNIQUE INDEX "app_school_partner_id_name_u" ON "app_school" USING btree ("partner_id","name") WHERE deleted_at is null and ("self_run" = 0);
