CREATE TABLE "practice_import_layout" (
	"staff_id" bigint NOT NULL,
	"layout" text NOT NULL,
	"mapping" jsonb NOT NULL,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "practice_import_layout_staff_id_layout_pk" PRIMARY KEY("staff_id","layout")
);

ALTER TABLE "practice_import" ADD COLUMN "mapping_kept" boolean DEFAULT false NOT NULL;
ALTER TABLE "practice_import" ADD COLUMN "notes" jsonb DEFAULT '[]'::jsonb NOT NULL;
ALTER TABLE "practice_import" ADD COLUMN "decisions" jsonb DEFAULT '{}'::jsonb NOT NULL;
