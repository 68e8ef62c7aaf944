CREATE TABLE "card_mark" (
	"page_id" bigint NOT NULL,
	"question" integer NOT NULL,
	"letters" text[],
	"confidence" numeric,
	"doubtful" boolean DEFAULT false NOT NULL,
	"score" numeric,
	"staff_id" bigint,
	CONSTRAINT "card_mark_page_id_question_pk" PRIMARY KEY("page_id","question")
);

CREATE TABLE "card_marking" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "card_marking_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"paper_id" bigint NOT NULL,
	"name" text NOT NULL,
	"roster" jsonb NOT NULL,
	"state" text NOT NULL,
	"job_id" bigint,
	"staff_id" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "card_page" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "card_page_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"marking_id" bigint NOT NULL,
	"upload_id" bigint NOT NULL,
	"ord" integer NOT NULL,
	"card_id" bigint,
	"page_no" smallint,
	"number" text,
	"guess" text,
	"state" text NOT NULL,
	"problem" text,
	"absent" boolean DEFAULT false NOT NULL,
	"file_id" text NOT NULL
);

CREATE TABLE "card_upload" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "card_upload_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"marking_id" bigint NOT NULL,
	"file_id" text NOT NULL,
	"name" text NOT NULL,
	"pages" integer,
	"next" integer DEFAULT 0 NOT NULL,
	"problem" text
);

CREATE TABLE "paper_card" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "paper_card_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"paper_id" bigint NOT NULL,
	"version_no" integer NOT NULL,
	"digest" text NOT NULL,
	"layout" jsonb NOT NULL,
	"questions" jsonb NOT NULL,
	"staff_id" bigint,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE INDEX "card_marking_paper_i" ON "card_marking" USING btree ("paper_id","id");
CREATE UNIQUE INDEX "card_page_u" ON "card_page" USING btree ("upload_id","ord");
CREATE UNIQUE INDEX "card_page_number_u" ON "card_page" USING btree ("marking_id","number","page_no") WHERE state = 'read';
CREATE UNIQUE INDEX "card_upload_u" ON "card_upload" USING btree ("marking_id","file_id");
CREATE UNIQUE INDEX "paper_card_u" ON "paper_card" USING btree ("paper_id","digest");
