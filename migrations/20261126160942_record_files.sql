CREATE TABLE "record_file" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "record_file_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"entity" text NOT NULL,
	"entity_id" bigint NOT NULL,
	"file_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"staff_id" bigint NOT NULL,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone
);

ALTER TABLE "file" ADD COLUMN "of_record" boolean DEFAULT false NOT NULL;
CREATE INDEX "record_file_entity_i" ON "record_file" USING btree ("entity","entity_id","id") WHERE removed_at is null;
CREATE UNIQUE INDEX "record_file_file_u" ON "record_file" USING btree ("file_id");
