CREATE TABLE "verify_batch" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "verify_batch_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"staff_id" bigint NOT NULL,
	"round" smallint NOT NULL,
	"subject_id" bigint NOT NULL,
	"state" text NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"signed_at" timestamp (0) with time zone
);

CREATE TABLE "verify_batch_item" (
	"batch_id" bigint NOT NULL,
	"practice_id" bigint NOT NULL,
	"version_no" integer NOT NULL,
	"sampled" boolean NOT NULL,
	"passed" boolean,
	"errors" text[] NOT NULL,
	"rev" integer,
	"official_id" bigint,
	CONSTRAINT "verify_batch_item_batch_id_practice_id_pk" PRIMARY KEY("batch_id","practice_id")
);

ALTER TABLE "practice_import_item" ADD COLUMN "suggested" jsonb;
CREATE INDEX "verify_batch_staff_i" ON "verify_batch" USING btree ("staff_id","id");
CREATE INDEX "verify_batch_item_practice_i" ON "verify_batch_item" USING btree ("practice_id");
CREATE INDEX "practice_import_item_practice_i" ON "practice_import_item" USING btree ("practice_id");
