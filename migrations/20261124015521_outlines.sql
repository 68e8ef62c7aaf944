CREATE TABLE "learn_record" (
	"user_id" bigint NOT NULL,
	"node_id" bigint NOT NULL,
	"at" timestamp (0) with time zone NOT NULL,
	"seconds" integer NOT NULL,
	"done" boolean NOT NULL,
	CONSTRAINT "learn_record_user_id_node_id_at_pk" PRIMARY KEY("user_id","node_id","at")
);

CREATE TABLE "learn_stat" (
	"user_id" bigint NOT NULL,
	"node_id" bigint NOT NULL,
	"outline_id" bigint NOT NULL,
	"seconds" integer NOT NULL,
	"done" boolean NOT NULL,
	"last_at" timestamp (0) with time zone NOT NULL,
	CONSTRAINT "learn_stat_user_id_node_id_pk" PRIMARY KEY("user_id","node_id")
);

CREATE TABLE "outline" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outline_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_kind" text NOT NULL,
	"owner_id" bigint NOT NULL,
	"rev" integer DEFAULT 0 NOT NULL,
	"state" smallint DEFAULT 0 NOT NULL,
	"version_no" integer DEFAULT 0 NOT NULL,
	"origin_id" bigint,
	"origin_no" integer,
	"decided" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "outline_block" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outline_block_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"outline_id" bigint NOT NULL,
	"key" text NOT NULL,
	"node_id" bigint NOT NULL,
	"ord" text NOT NULL,
	"kind" text NOT NULL,
	"ref_id" bigint DEFAULT 0 NOT NULL,
	"slot" smallint,
	"version_no" integer,
	"title" text DEFAULT '' NOT NULL,
	"text" text DEFAULT '' NOT NULL
);

CREATE TABLE "outline_change" (
	"outline_id" bigint NOT NULL,
	"rev" integer NOT NULL,
	"staff_id" bigint,
	"changes" jsonb NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outline_change_outline_id_rev_pk" PRIMARY KEY("outline_id","rev")
);

CREATE TABLE "outline_node" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outline_node_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"outline_id" bigint NOT NULL,
	"key" text NOT NULL,
	"parent_id" bigint,
	"path" text DEFAULT '/' NOT NULL,
	"ord" text NOT NULL,
	"kind" smallint NOT NULL,
	"name" text NOT NULL,
	"free" smallint,
	"trial_minutes" integer,
	"unlock" smallint DEFAULT 0 NOT NULL,
	"unlock_score" smallint,
	"open_at" bigint,
	"label_ids" bigint[] DEFAULT '{}' NOT NULL,
	"chapter_id" bigint,
	"published_no" integer,
	"gone" boolean DEFAULT false NOT NULL
);

CREATE TABLE "outline_shown" (
	"outline_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"ref_id" bigint NOT NULL,
	CONSTRAINT "outline_shown_outline_id_kind_ref_id_pk" PRIMARY KEY("outline_id","kind","ref_id")
);

CREATE TABLE "outline_version" (
	"outline_id" bigint NOT NULL,
	"no" integer NOT NULL,
	"body" jsonb NOT NULL,
	"staff_id" bigint,
	"note" text DEFAULT '' NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outline_version_outline_id_no_pk" PRIMARY KEY("outline_id","no")
);

CREATE INDEX "learn_stat_outline_i" ON "learn_stat" USING btree ("outline_id","user_id");
CREATE INDEX "learn_stat_node_i" ON "learn_stat" USING btree ("node_id");
CREATE UNIQUE INDEX "outline_owner_u" ON "outline" USING btree ("owner_kind","owner_id");
CREATE INDEX "outline_origin_i" ON "outline" USING btree ("origin_id");
CREATE UNIQUE INDEX "outline_block_u" ON "outline_block" USING btree ("outline_id","key");
CREATE INDEX "outline_block_ref_i" ON "outline_block" USING btree ("kind","ref_id");
CREATE INDEX "outline_block_node_i" ON "outline_block" USING btree ("node_id");
CREATE UNIQUE INDEX "outline_node_u" ON "outline_node" USING btree ("outline_id","key");
CREATE INDEX "outline_node_chapter_i" ON "outline_node" USING btree ("chapter_id");
CREATE INDEX "outline_shown_ref_i" ON "outline_shown" USING btree ("kind","ref_id");
create trigger keep before delete or update of "outline_id", "rev", "staff_id", "changes", "at" on "outline_change" for each statement execute function refuse_change();
create trigger keep before delete or update of "outline_id", "no", "body", "staff_id", "note", "at" on "outline_version" for each statement execute function refuse_change();
