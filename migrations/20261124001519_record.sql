CREATE TABLE "undo_act" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "undo_act_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"staff_id" bigint NOT NULL,
	"resource" text NOT NULL,
	"action" text NOT NULL,
	"count" integer NOT NULL,
	"job_id" bigint,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone
);

CREATE TABLE "undo_step" (
	"act_id" bigint NOT NULL,
	"record_id" bigint NOT NULL,
	"rev" integer NOT NULL,
	"back" jsonb NOT NULL,
	CONSTRAINT "undo_step_act_id_record_id_pk" PRIMARY KEY("act_id","record_id")
);

CREATE TABLE "discussion" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "discussion_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"entity" text NOT NULL,
	"entity_id" bigint NOT NULL,
	"resource" text NOT NULL,
	"staff_id" bigint NOT NULL,
	"body" text NOT NULL,
	"mentions" bigint[] DEFAULT '{}' NOT NULL,
	"follow_up_at" timestamp (0) with time zone,
	"follow_up_staff" bigint,
	"done_at" timestamp (0) with time zone,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE INDEX "undo_act_staff_i" ON "undo_act" USING btree ("staff_id","id");
CREATE INDEX "undo_act_at_i" ON "undo_act" USING btree ("at");
CREATE UNIQUE INDEX "undo_act_job_u" ON "undo_act" USING btree ("job_id");
CREATE INDEX "discussion_entity_i" ON "discussion" USING btree ("entity","entity_id","id");
CREATE INDEX "discussion_mentions_i" ON "discussion" USING gin ("mentions");
CREATE INDEX "discussion_follow_up_i" ON "discussion" USING btree ("follow_up_staff","follow_up_at") WHERE follow_up_at is not null and done_at is null;
