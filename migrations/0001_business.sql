CREATE TABLE "pad_token" (
	"pad_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL
);

CREATE TABLE "seated" (
	"seat_id" bigint PRIMARY KEY NOT NULL,
	"member_id" bigint NOT NULL,
	"user_card_id" bigint NOT NULL,
	"visit_id" bigint NOT NULL,
	"room_id" bigint NOT NULL,
	"in_at" timestamp (0) with time zone NOT NULL
);

CREATE TABLE "practice_verify" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "practice_verify_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"practice_id" bigint NOT NULL,
	"round" smallint NOT NULL,
	"staff_id" bigint NOT NULL,
	"owner_id" bigint,
	"passed" smallint NOT NULL,
	"errors" text[] NOT NULL,
	"note" text,
	"seconds" integer,
	"version_no" integer NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "verify_claim" (
	"practice_id" bigint PRIMARY KEY NOT NULL,
	"staff_id" bigint NOT NULL,
	"until" timestamp (0) with time zone NOT NULL
);

CREATE TABLE "verify_setting" (
	"id" smallint PRIMARY KEY NOT NULL,
	"body" jsonb NOT NULL
);

CREATE TABLE "practice_answer" (
	"sitting" bigint NOT NULL,
	"practice_id" bigint NOT NULL,
	"score" numeric NOT NULL,
	"max" numeric NOT NULL,
	"picked" text[],
	"seconds" integer,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "practice_answer_sitting_practice_id_pk" PRIMARY KEY("sitting","practice_id")
);

CREATE TABLE "practice_stat_due" (
	"practice_id" bigint PRIMARY KEY NOT NULL
);

CREATE TABLE "selected_item" (
	"set_id" bigint NOT NULL,
	"practice_id" bigint NOT NULL,
	"ord" integer NOT NULL,
	"version_no" integer NOT NULL,
	CONSTRAINT "selected_item_set_id_practice_id_pk" PRIMARY KEY("set_id","practice_id")
);

CREATE TABLE "selected_set" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "selected_set_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"scope" text NOT NULL,
	"ref_id" bigint NOT NULL,
	"product_line" text DEFAULT '' NOT NULL,
	"group_key" smallint NOT NULL,
	"target_n" integer,
	"version_no" integer DEFAULT 1 NOT NULL,
	"staff_id" bigint,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "label_chapter" (
	"label_id" bigint NOT NULL,
	"chapter_id" bigint NOT NULL,
	CONSTRAINT "label_chapter_chapter_id_label_id_pk" PRIMARY KEY("chapter_id","label_id")
);

CREATE TABLE "practice_label" (
	"practice_id" bigint NOT NULL,
	"label_id" bigint NOT NULL,
	"main" boolean DEFAULT false NOT NULL,
	CONSTRAINT "practice_label_practice_id_label_id_pk" PRIMARY KEY("practice_id","label_id")
);

CREATE TABLE "practice_label_tree" (
	"label_id" bigint NOT NULL,
	"pool" text NOT NULL,
	"practice_id" bigint NOT NULL,
	CONSTRAINT "practice_label_tree_label_id_pool_practice_id_pk" PRIMARY KEY("label_id","pool","practice_id")
);

CREATE TABLE "practice_import" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "practice_import_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"staff_id" bigint NOT NULL,
	"level" smallint NOT NULL,
	"subject_id" bigint,
	"file_id" text NOT NULL,
	"file_name" text NOT NULL,
	"state" text NOT NULL,
	"job_id" bigint,
	"mapping" jsonb,
	"fields" jsonb,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "practice_import_item" (
	"import_id" bigint NOT NULL,
	"ord" integer NOT NULL,
	"place" text NOT NULL,
	"question" jsonb,
	"warnings" jsonb NOT NULL,
	"state" text NOT NULL,
	"subject_id" bigint,
	"skip" boolean DEFAULT false NOT NULL,
	"like_id" bigint,
	"like_kind" text,
	"practice_id" bigint,
	CONSTRAINT "practice_import_item_import_id_ord_pk" PRIMARY KEY("import_id","ord")
);

CREATE TABLE "practice_compare" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "practice_compare_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"left_id" bigint NOT NULL,
	"right_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"score" numeric,
	"state" smallint DEFAULT 0 NOT NULL,
	"resolved_by" bigint,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "basket_item" (
	"staff_id" bigint NOT NULL,
	"practice_id" bigint NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "basket_item_staff_id_practice_id_pk" PRIMARY KEY("staff_id","practice_id")
);

CREATE TABLE "picture_hash" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"hash" text
);

CREATE TABLE "practice_band" (
	"key" integer NOT NULL,
	"practice_id" bigint NOT NULL,
	CONSTRAINT "practice_band_key_practice_id_pk" PRIMARY KEY("key","practice_id")
);

CREATE TABLE "practice_body" (
	"practice_id" bigint PRIMARY KEY NOT NULL,
	"content" jsonb NOT NULL
);

CREATE TABLE "practice_chapter" (
	"practice_id" bigint NOT NULL,
	"chapter_id" bigint NOT NULL,
	CONSTRAINT "practice_chapter_practice_id_chapter_id_pk" PRIMARY KEY("practice_id","chapter_id")
);

CREATE TABLE "practice_draft" (
	"staff_id" bigint NOT NULL,
	"practice_id" bigint NOT NULL,
	"level" smallint NOT NULL,
	"base_rev" integer,
	"body" jsonb NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "practice_draft_staff_id_practice_id_level_pk" PRIMARY KEY("staff_id","practice_id","level")
);

CREATE TABLE "practice_similar" (
	"practice_id" bigint NOT NULL,
	"other_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"score" numeric,
	"staff_id" bigint,
	"ord" integer DEFAULT 0 NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "practice_similar_practice_id_other_id_kind_pk" PRIMARY KEY("practice_id","other_id","kind")
);

CREATE TABLE "practice_stat" (
	"practice_id" bigint PRIMARY KEY NOT NULL,
	"attempts" integer NOT NULL,
	"facility" numeric,
	"discrimination" numeric,
	"disc_eff" numeric,
	"group_gap" numeric,
	"avg_seconds" integer,
	"option_counts" jsonb,
	"flags" text[] DEFAULT '{}'::text[] NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "practice_version" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "practice_version_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"practice_id" bigint NOT NULL,
	"version_no" integer NOT NULL,
	"snapshot" jsonb NOT NULL,
	"staff_id" bigint,
	"note" text,
	"published" boolean DEFAULT false NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "micro_play" (
	"lesson_id" bigint NOT NULL,
	"user_id" bigint DEFAULT 0 NOT NULL,
	"at" timestamp (0) with time zone NOT NULL,
	"seconds" integer NOT NULL,
	"finished" boolean NOT NULL,
	CONSTRAINT "micro_play_lesson_id_user_id_at_pk" PRIMARY KEY("lesson_id","user_id","at")
);

CREATE TABLE "micro_practice" (
	"lesson_id" bigint NOT NULL,
	"practice_id" bigint NOT NULL,
	"ord" integer NOT NULL,
	CONSTRAINT "micro_practice_lesson_id_practice_id_pk" PRIMARY KEY("lesson_id","practice_id")
);

CREATE TABLE "paper_body" (
	"paper_id" bigint PRIMARY KEY NOT NULL,
	"rev" integer DEFAULT 0 NOT NULL,
	"body" jsonb NOT NULL
);

CREATE TABLE "paper_change" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "paper_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"paper_id" bigint NOT NULL,
	"staff_id" bigint,
	"changes" jsonb NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "paper_item" (
	"paper_id" bigint NOT NULL,
	"practice_id" bigint NOT NULL,
	"ord" integer NOT NULL,
	"score" numeric NOT NULL,
	CONSTRAINT "paper_item_paper_id_practice_id_pk" PRIMARY KEY("paper_id","practice_id")
);

CREATE TABLE "paper_version" (
	"paper_id" bigint NOT NULL,
	"version_no" integer NOT NULL,
	"body" jsonb NOT NULL,
	"staff_id" bigint,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "paper_version_paper_id_version_no_pk" PRIMARY KEY("paper_id","version_no")
);

CREATE TABLE "smart_material" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "smart_material_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"smart_paper_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"ref_id" bigint NOT NULL,
	"ord" integer DEFAULT 0 NOT NULL
);

CREATE TABLE "ledger" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"account_kind" text NOT NULL,
	"account_id" bigint NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"amount" bigint NOT NULL,
	"kind" text NOT NULL,
	"channel" text,
	"order_id" bigint,
	"order_no" text,
	"note" text
);

CREATE TABLE "order_draft" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "order_draft_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"staff_id" bigint NOT NULL,
	"resource" text NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"body" jsonb NOT NULL,
	"rev" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "order_item" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "order_item_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"ref_id" bigint,
	"name" text NOT NULL,
	"price" bigint NOT NULL,
	"qty" bigint NOT NULL,
	"months" integer,
	"refunded_qty" bigint DEFAULT 0 NOT NULL,
	"granted_qty" bigint DEFAULT 0 NOT NULL,
	"effect" jsonb
);

CREATE TABLE "order_log" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "order_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"staff_id" bigint,
	"action" text NOT NULL,
	"from_status" integer,
	"to_status" integer NOT NULL,
	"amount" bigint,
	"reason" text
);

CREATE TABLE "order_receiver" (
	"order_id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"mobile" text NOT NULL,
	"region_code" text NOT NULL,
	"address" text NOT NULL
);

CREATE TABLE "order_setting" (
	"resource" text NOT NULL,
	"refund_second_from" bigint NOT NULL,
	"approve_second_from" bigint NOT NULL,
	"unpaid_days" integer NOT NULL,
	CONSTRAINT "order_setting_resource_pk" PRIMARY KEY("resource")
);

CREATE TABLE "orders" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"order_no" text NOT NULL,
	"line" text NOT NULL,
	"self_run" integer DEFAULT 0 NOT NULL,
	"goods" text,
	"partner_id" bigint,
	"school_id" bigint,
	"student_id" bigint,
	"room_id" bigint,
	"member_id" bigint,
	"unit_id" bigint,
	"months" bigint,
	"buyer_name" text,
	"buyer_mobile" text,
	"user_id" bigint,
	"biz_type" integer,
	"total" bigint DEFAULT 0 NOT NULL,
	"discount" bigint DEFAULT 0 NOT NULL,
	"amount" bigint DEFAULT 0 NOT NULL,
	"paid" bigint DEFAULT 0 NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"pay_channel" text,
	"paid_at" timestamp (0) with time zone,
	"pay_no" text,
	"referrer_mobile" text,
	"agent_id" bigint,
	"channel_id" bigint,
	"virtual" integer DEFAULT 0 NOT NULL,
	"ship_status" integer DEFAULT 0 NOT NULL,
	"auditor_id" bigint,
	"audited_at" timestamp (0) with time zone,
	"invoice_title" text,
	"invoice_tax_no" text,
	"remark" text,
	"cs_remark" text,
	"before_status" bigint,
	"status" integer DEFAULT 1 NOT NULL
);

CREATE TABLE "payment" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "payment_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"at" timestamp (0) with time zone NOT NULL,
	"amount" bigint NOT NULL,
	"channel" text NOT NULL,
	"trade_no" text,
	"voucher" text,
	"staff_id" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "refund" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "refund_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"items" jsonb,
	"way" text NOT NULL,
	"reason" text NOT NULL,
	"status" integer NOT NULL,
	"asked_by" bigint,
	"asked_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"decided_by" bigint,
	"decided_at" timestamp (0) with time zone,
	"answer" text
);

CREATE TABLE "code_secret" (
	"hash" text NOT NULL,
	"sealed" text NOT NULL,
	"family" text NOT NULL,
	"code_id" bigint NOT NULL,
	CONSTRAINT "code_secret_hash_pk" PRIMARY KEY("hash")
);

CREATE TABLE "activation_code" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "activation_code_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"code" text NOT NULL,
	"group_id" bigint NOT NULL,
	"partner_id" bigint NOT NULL,
	"unit_id" bigint NOT NULL,
	"status" integer NOT NULL,
	"user_id" bigint,
	"mobile" text,
	"school_id" bigint,
	"student_id" bigint,
	"pad_sn" text,
	"redeem_before" timestamp (0) with time zone NOT NULL,
	"activated_at" timestamp (0) with time zone,
	"expire_at" timestamp (0) with time zone,
	"unbind_count" bigint,
	"ip" text
);

CREATE TABLE "activation_code_group" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "activation_code_group_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"partner_id" bigint NOT NULL,
	"unit_id" bigint NOT NULL,
	"count" bigint NOT NULL,
	"prefix" text,
	"code_len" bigint NOT NULL,
	"valid_months" bigint,
	"valid_until" timestamp (0) with time zone,
	"redeem_before" timestamp (0) with time zone NOT NULL,
	"per_user_limit" bigint,
	"purpose" integer NOT NULL,
	"price" bigint,
	"type_id" bigint,
	"order_id" bigint,
	"origin_id" bigint,
	"total" bigint,
	"used" bigint,
	"left" bigint,
	"cancelled" bigint,
	"expired" bigint,
	"frozen" bigint,
	"status" integer,
	"remark" text
);

CREATE TABLE "study_room" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "study_room_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"school_id" bigint NOT NULL,
	"self_run" integer DEFAULT 0 NOT NULL,
	"type_id" bigint NOT NULL,
	"area_m2" numeric,
	"seat_cnt" bigint,
	"price_rules" jsonb,
	"devices" jsonb,
	"imgs" text[],
	"notice" text,
	"status" integer NOT NULL
);

CREATE TABLE "paper" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "paper_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"kind" text NOT NULL,
	"level" integer NOT NULL,
	"name" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"paper_type" integer,
	"grade" integer,
	"term" integer,
	"exam_region_id" integer,
	"exam_year" bigint,
	"source_year" bigint,
	"exam_type" text,
	"gaokao_type" integer,
	"attr" integer,
	"has_video" integer,
	"ai_test" integer,
	"difficulty" integer,
	"coef" numeric,
	"duration" bigint,
	"total_score" numeric,
	"question_count" bigint,
	"video_share" bigint,
	"source" text,
	"products" bigint[],
	"lesson_ids" bigint[],
	"sort" bigint,
	"version_no" bigint,
	"status" integer
);

CREATE TABLE "card_log" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "card_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"user_card_id" bigint NOT NULL,
	"member_id" bigint NOT NULL,
	"school_id" bigint NOT NULL,
	"self_run" integer DEFAULT 0 NOT NULL,
	"kind" integer NOT NULL,
	"action" text NOT NULL,
	"delta" bigint NOT NULL,
	"remaining" bigint NOT NULL,
	"days" bigint NOT NULL,
	"paid" bigint NOT NULL,
	"visit_id" bigint,
	"order_no" text,
	"reason" text
);

CREATE TABLE "chapter" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "chapter_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"partwork_id" bigint NOT NULL,
	"subject_id" bigint,
	"parent_id" bigint,
	"name" text NOT NULL,
	"path" text,
	"depth" bigint,
	"page" bigint,
	"sort" bigint
);

CREATE TABLE "day_closing" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "day_closing_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"room_id" bigint NOT NULL,
	"school_id" bigint NOT NULL,
	"day" timestamp (0) with time zone NOT NULL,
	"shift" integer NOT NULL,
	"expected" bigint NOT NULL,
	"counted" bigint NOT NULL,
	"difference" bigint NOT NULL,
	"lines" jsonb,
	"last_entry" bigint NOT NULL,
	"remark" text
);

CREATE TABLE "entitlement" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "entitlement_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"user_id" bigint NOT NULL,
	"line" text NOT NULL,
	"product" text NOT NULL,
	"offer_id" bigint NOT NULL,
	"source" integer NOT NULL,
	"ref" text NOT NULL,
	"start_at" timestamp (0) with time zone NOT NULL,
	"expire_at" timestamp (0) with time zone NOT NULL,
	"status" integer NOT NULL
);

CREATE TABLE "label" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "label_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"kind" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"parent_id" bigint,
	"name" text NOT NULL,
	"alias" text[],
	"code" text,
	"colour" text,
	"importance" integer,
	"exam_freq" integer,
	"prereq_ids" bigint[],
	"remark" text,
	"path" text,
	"depth" bigint,
	"merged_into" bigint,
	"sort" bigint,
	"status" integer NOT NULL
);

CREATE TABLE "material_version" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "material_version_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"subject_id" bigint NOT NULL,
	"name" text NOT NULL,
	"press" text,
	"sort" bigint,
	"status" integer NOT NULL
);

CREATE TABLE "member_card" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "member_card_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"school_id" bigint NOT NULL,
	"self_run" integer DEFAULT 0 NOT NULL,
	"kind" integer NOT NULL,
	"quota" bigint NOT NULL,
	"valid_days" bigint NOT NULL,
	"price" bigint NOT NULL,
	"room_ids" bigint[],
	"seat_kinds" bigint[],
	"subjects" text[],
	"pad" integer,
	"freeze_times" bigint,
	"freeze_days" bigint,
	"transferable" integer,
	"stock" bigint,
	"sold" bigint,
	"sort" bigint,
	"status" integer NOT NULL
);

CREATE TABLE "member_leave" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "member_leave_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"member_id" bigint NOT NULL,
	"school_id" bigint,
	"self_run" integer DEFAULT 0 NOT NULL,
	"from_at" timestamp (0) with time zone NOT NULL,
	"until_at" timestamp (0) with time zone NOT NULL,
	"reason" text NOT NULL,
	"status" integer
);

CREATE TABLE "micro_lesson" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "micro_lesson_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"level" integer NOT NULL,
	"name" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"label_id" bigint NOT NULL,
	"label_ids" bigint[],
	"catalog_id" bigint,
	"teacher" text,
	"video" text NOT NULL,
	"duration" bigint NOT NULL,
	"cover" text,
	"handout" text,
	"difficulty" integer,
	"code_url" text,
	"sort" bigint,
	"status" integer
);

CREATE TABLE "pad" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "pad_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"sn" text NOT NULL,
	"model" text,
	"mac" text,
	"imei" text,
	"os_version" text,
	"app_version" text,
	"storage_gb" bigint,
	"room_id" bigint,
	"school_id" bigint,
	"seat_id" bigint,
	"student_id" bigint,
	"member_id" bigint,
	"lease" integer,
	"deposit" bigint,
	"warranty_at" timestamp (0) with time zone,
	"activated_at" timestamp (0) with time zone,
	"last_online_at" timestamp (0) with time zone,
	"battery" bigint,
	"free_gb" bigint,
	"connected_at" timestamp (0) with time zone,
	"policy_id" bigint,
	"policy_version" bigint,
	"lng" numeric,
	"lat" numeric,
	"located_at" timestamp (0) with time zone,
	"locked" integer NOT NULL,
	"status" integer NOT NULL,
	"remark" text
);

CREATE TABLE "pad_command" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "pad_command_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"pad_id" bigint NOT NULL,
	"school_id" bigint,
	"kind" text NOT NULL,
	"detail" jsonb,
	"reason" text,
	"expire_at" timestamp (0) with time zone NOT NULL,
	"sent_at" timestamp (0) with time zone,
	"sent_cnt" bigint NOT NULL,
	"done_at" timestamp (0) with time zone,
	"answer" text,
	"status" integer NOT NULL
);

CREATE TABLE "pad_policy" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "pad_policy_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"apps" text NOT NULL,
	"weekdays" bigint[],
	"hours" text,
	"allow_install" integer NOT NULL,
	"version" bigint NOT NULL,
	"status" integer NOT NULL
);

CREATE TABLE "shipment" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "shipment_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"order_id" bigint NOT NULL,
	"company" text NOT NULL,
	"no" text NOT NULL,
	"line" text NOT NULL,
	"self_run" bigint NOT NULL
);

CREATE TABLE "partwork" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "partwork_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"version_id" bigint NOT NULL,
	"subject_id" bigint,
	"name" text NOT NULL,
	"grade" integer,
	"term" integer,
	"edition_year" bigint,
	"sort" bigint,
	"status" integer NOT NULL
);

CREATE TABLE "practice" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "practice_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"no" text NOT NULL,
	"pool" text NOT NULL,
	"level" integer NOT NULL,
	"subject_id" bigint NOT NULL,
	"type" integer NOT NULL,
	"category_id" bigint,
	"difficulty" integer,
	"coef" numeric,
	"option_layout" integer,
	"source" text,
	"source_paper" text,
	"source_order" bigint,
	"source_years" bigint[],
	"exam_region_id" integer,
	"exam_year" bigint,
	"gaokao_type" integer,
	"exercise_type" integer,
	"score" numeric,
	"est_seconds" bigint,
	"cognitive" text,
	"competence" text[],
	"tags" text[],
	"copyright" text,
	"products" bigint[],
	"video" text,
	"scans" text[],
	"has_image" integer,
	"has_formula" integer,
	"has_video" integer,
	"has_analysis" integer,
	"auto_gradable" integer,
	"status" integer NOT NULL,
	"urgent" integer,
	"owner_id" bigint,
	"verifier1_id" bigint,
	"verifier2_id" bigint,
	"assignee_id" bigint,
	"quality" bigint,
	"content_hash" text,
	"version_no" bigint,
	"published_at" timestamp (0) with time zone,
	"origin_id" bigint,
	"use_count" bigint,
	"search_text" text
);

CREATE TABLE "practice_category" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "practice_category_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"subject_id" bigint NOT NULL,
	"name" text NOT NULL,
	"type" integer NOT NULL,
	"sort" bigint,
	"status" integer NOT NULL
);

CREATE TABLE "practice_report" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "practice_report_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"practice_no" text NOT NULL,
	"practice_id" bigint NOT NULL,
	"subject_id" bigint NOT NULL,
	"level" integer NOT NULL,
	"kind" text NOT NULL,
	"content" text,
	"source" integer NOT NULL,
	"user_id" bigint,
	"status" integer NOT NULL,
	"handled_at" timestamp (0) with time zone,
	"fixed_at" timestamp (0) with time zone
);

CREATE TABLE "room_member" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "room_member_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"mobile" text NOT NULL,
	"school_id" bigint NOT NULL,
	"self_run" integer DEFAULT 0 NOT NULL,
	"gender" integer,
	"grade" integer,
	"visit_cnt" bigint,
	"total_minutes" bigint,
	"last_in_at" timestamp (0) with time zone,
	"status" integer NOT NULL,
	"remark" text
);

CREATE TABLE "room_utility" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "room_utility_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"room_id" bigint NOT NULL,
	"school_id" bigint,
	"kind" integer NOT NULL,
	"read_at" timestamp (0) with time zone NOT NULL,
	"reading" numeric NOT NULL,
	"used" numeric NOT NULL,
	"amount" bigint NOT NULL,
	"remark" text
);

CREATE TABLE "seat" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "seat_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"label" text NOT NULL,
	"room_id" bigint NOT NULL,
	"school_id" bigint NOT NULL,
	"area" text NOT NULL,
	"row" bigint NOT NULL,
	"no" bigint NOT NULL,
	"kind" integer NOT NULL,
	"x" bigint NOT NULL,
	"y" bigint NOT NULL,
	"status" integer NOT NULL
);

CREATE TABLE "user_card" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "user_card_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"card_no" text NOT NULL,
	"member_id" bigint NOT NULL,
	"card_id" bigint NOT NULL,
	"school_id" bigint NOT NULL,
	"self_run" integer DEFAULT 0 NOT NULL,
	"kind" integer NOT NULL,
	"quota" bigint NOT NULL,
	"remaining" bigint NOT NULL,
	"valid_days" bigint NOT NULL,
	"paid" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	"order_no" text,
	"activated_at" timestamp (0) with time zone,
	"expire_at" timestamp (0) with time zone,
	"frozen_at" timestamp (0) with time zone,
	"frozen_until" timestamp (0) with time zone,
	"freeze_cnt" bigint NOT NULL,
	"frozen_days" bigint NOT NULL,
	"freeze_times" bigint,
	"freeze_days" bigint,
	"transferable" integer,
	"room_ids" bigint[],
	"seat_kinds" bigint[],
	"pad" integer,
	"status" integer NOT NULL
);

CREATE TABLE "visit" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "visit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"member_id" bigint NOT NULL,
	"room_id" bigint NOT NULL,
	"seat_id" bigint NOT NULL,
	"user_card_id" bigint NOT NULL,
	"school_id" bigint NOT NULL,
	"self_run" integer DEFAULT 0 NOT NULL,
	"in_at" timestamp (0) with time zone NOT NULL,
	"out_at" timestamp (0) with time zone,
	"minutes" bigint,
	"kind" integer NOT NULL,
	"used" bigint,
	"short" bigint,
	"comment" text,
	"remark" text
);

CREATE TABLE "smart_paper" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "smart_paper_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"level" integer NOT NULL,
	"question_count" bigint,
	"total_score" numeric,
	"version_count" bigint,
	"seed" bigint,
	"rule" jsonb,
	"result" jsonb,
	"status" integer
);

DROP INDEX "app_school_partner_id_name_u";
ALTER TABLE "app_school" ALTER COLUMN "partner_id" DROP NOT NULL;
ALTER TABLE "app_school" ALTER COLUMN "expire_at" DROP NOT NULL;
ALTER TABLE "request_once" ADD COLUMN "record_id" bigint;
ALTER TABLE "app_school" ADD COLUMN "self_run" integer DEFAULT 0 NOT NULL;
ALTER TABLE "partner" ADD COLUMN "agent_id" bigint;
ALTER TABLE "school_teacher" ADD COLUMN "staff_id" bigint;
CREATE UNIQUE INDEX "pad_token_hash_u" ON "pad_token" USING btree ("hash");
CREATE UNIQUE INDEX "seated_member_u" ON "seated" USING btree ("member_id");
CREATE UNIQUE INDEX "seated_visit_u" ON "seated" USING btree ("visit_id");
CREATE UNIQUE INDEX "seated_card_u" ON "seated" USING btree ("user_card_id");
CREATE INDEX "seated_room_i" ON "seated" USING btree ("room_id");
CREATE INDEX "practice_verify_practice_i" ON "practice_verify" USING btree ("practice_id","id");
CREATE INDEX "practice_verify_owner_i" ON "practice_verify" USING btree ("owner_id","at");
CREATE INDEX "practice_answer_practice_i" ON "practice_answer" USING btree ("practice_id","sitting");
CREATE INDEX "selected_item_practice_i" ON "selected_item" USING btree ("practice_id");
CREATE UNIQUE INDEX "selected_set_u" ON "selected_set" USING btree ("scope","ref_id","product_line","group_key");
CREATE INDEX "label_chapter_label_i" ON "label_chapter" USING btree ("label_id");
CREATE INDEX "practice_label_label_i" ON "practice_label" USING btree ("label_id","practice_id");
CREATE INDEX "practice_label_tree_practice_i" ON "practice_label_tree" USING btree ("practice_id");
CREATE INDEX "practice_import_staff_i" ON "practice_import" USING btree ("staff_id","id");
CREATE UNIQUE INDEX "practice_compare_u" ON "practice_compare" USING btree ("left_id","right_id");
CREATE INDEX "practice_compare_right_i" ON "practice_compare" USING btree ("right_id");
CREATE INDEX "practice_compare_open_i" ON "practice_compare" USING btree ("id") WHERE state = 0;
CREATE INDEX "practice_band_practice_i" ON "practice_band" USING btree ("practice_id");
CREATE INDEX "practice_chapter_chapter_i" ON "practice_chapter" USING btree ("chapter_id","practice_id");
CREATE INDEX "practice_similar_other_i" ON "practice_similar" USING btree ("other_id","kind");
CREATE INDEX "practice_stat_flags_i" ON "practice_stat" USING gin ("flags");
CREATE UNIQUE INDEX "practice_version_u" ON "practice_version" USING btree ("practice_id","version_no");
CREATE INDEX "micro_practice_practice_i" ON "micro_practice" USING btree ("practice_id");
CREATE INDEX "paper_change_paper_i" ON "paper_change" USING btree ("paper_id","id");
CREATE INDEX "paper_item_practice_i" ON "paper_item" USING btree ("practice_id","paper_id");
CREATE UNIQUE INDEX "smart_material_u" ON "smart_material" USING btree ("smart_paper_id","kind","ref_id");
CREATE INDEX "ledger_account_i" ON "ledger" USING btree ("account_kind","account_id","id");
CREATE INDEX "ledger_account_at_i" ON "ledger" USING btree ("account_kind","account_id","at","id");
CREATE INDEX "ledger_order_i" ON "ledger" USING btree ("order_id");
CREATE INDEX "order_draft_staff_i" ON "order_draft" USING btree ("staff_id","resource","id");
CREATE INDEX "order_item_order_i" ON "order_item" USING btree ("order_id");
CREATE INDEX "order_item_ref_i" ON "order_item" USING btree ("kind","ref_id");
CREATE INDEX "order_log_order_i" ON "order_log" USING btree ("order_id","id");
CREATE UNIQUE INDEX "orders_order_no_u" ON "orders" USING btree ("order_no") WHERE deleted_at is null;
CREATE INDEX "orders_line_i" ON "orders" USING btree ("line","self_run","id") WHERE deleted_at is null;
CREATE INDEX "orders_line_status_i" ON "orders" USING btree ("line","self_run","status","id") WHERE deleted_at is null;
CREATE INDEX "orders_line_paid_at_i" ON "orders" USING btree ("line","self_run","paid_at","id","status","pay_channel") WHERE deleted_at is null;
CREATE INDEX "orders_line_created_i" ON "orders" USING btree ("line","self_run","created_at","id","status","pay_channel") WHERE deleted_at is null;
CREATE INDEX "orders_line_channel_i" ON "orders" USING btree ("line","self_run","pay_channel","id") WHERE deleted_at is null;
CREATE INDEX "orders_line_amount_i" ON "orders" USING btree ("line","self_run","amount","id") WHERE deleted_at is null;
CREATE INDEX "orders_partner_i" ON "orders" USING btree ("partner_id","line","self_run","id") WHERE deleted_at is null;
CREATE INDEX "orders_school_i" ON "orders" USING btree ("school_id","line","self_run","id") WHERE deleted_at is null;
CREATE INDEX "orders_room_i" ON "orders" USING btree ("room_id","line","self_run","id") WHERE deleted_at is null;
CREATE INDEX "orders_unit_i" ON "orders" USING btree ("unit_id","line","self_run","id") WHERE deleted_at is null;
CREATE INDEX "orders_student_i" ON "orders" USING btree ("student_id","id");
CREATE INDEX "orders_user_i" ON "orders" USING btree ("user_id","id");
CREATE INDEX "orders_agent_i" ON "orders" USING btree ("agent_id","paid_at");
CREATE INDEX "orders_mobile_i" ON "orders" USING btree ("buyer_mobile","id");
CREATE INDEX "orders_referrer_i" ON "orders" USING btree ("referrer_mobile","id");
CREATE INDEX "orders_pay_no_i" ON "orders" USING btree ("pay_no");
CREATE INDEX "orders_unpaid_i" ON "orders" USING btree ("line","created_at") WHERE status = 1 and deleted_at is null;
CREATE INDEX "orders_deleted_i" ON "orders" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "orders_search_i" ON "orders" USING gin (grams(coalesce("order_no", '') || ' ' || coalesce("goods", '') || ' ' || coalesce("buyer_name", '')));
CREATE INDEX "payment_order_i" ON "payment" USING btree ("order_id");
CREATE INDEX "payment_trade_no_i" ON "payment" USING btree ("trade_no");
CREATE INDEX "refund_order_i" ON "refund" USING btree ("order_id");
CREATE INDEX "refund_waiting_i" ON "refund" USING btree ("id") WHERE status = 1;
CREATE UNIQUE INDEX "code_secret_code_u" ON "code_secret" USING btree ("family","code_id");
CREATE INDEX "activation_code_unit_id_i" ON "activation_code" USING btree ("unit_id","id") WHERE deleted_at is null;
CREATE INDEX "activation_code_user_id_i" ON "activation_code" USING btree ("user_id","id") WHERE deleted_at is null and "user_id" is not null;
CREATE INDEX "activation_code_mobile_i" ON "activation_code" USING btree ("mobile","id") WHERE deleted_at is null and "mobile" is not null;
CREATE INDEX "activation_code_school_id_i" ON "activation_code" USING btree ("school_id","id") WHERE deleted_at is null and "school_id" is not null;
CREATE INDEX "activation_code_student_id_i" ON "activation_code" USING btree ("student_id","id") WHERE deleted_at is null and "student_id" is not null;
CREATE INDEX "activation_code_group_id_status_i" ON "activation_code" USING btree ("group_id","id","status") WHERE deleted_at is null;
CREATE INDEX "activation_code_partner_id_status_i" ON "activation_code" USING btree ("partner_id","id","status") WHERE deleted_at is null;
CREATE INDEX "activation_code_status_i" ON "activation_code" USING btree ("status","id") WHERE deleted_at is null;
CREATE INDEX "activation_code_activated_at_status_i" ON "activation_code" USING btree ("activated_at","id","status") WHERE deleted_at is null;
CREATE INDEX "activation_code_expire_at_status_i" ON "activation_code" USING btree ("expire_at","id","status") WHERE deleted_at is null;
CREATE INDEX "activation_code_redeem_before_status_i" ON "activation_code" USING btree ("redeem_before","id","status") WHERE deleted_at is null;
CREATE INDEX "activation_code_deleted_i" ON "activation_code" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "activation_code_group_partner_id_i" ON "activation_code_group" USING btree ("partner_id","id");
CREATE INDEX "activation_code_group_unit_id_i" ON "activation_code_group" USING btree ("unit_id","id");
CREATE INDEX "activation_code_group_type_id_i" ON "activation_code_group" USING btree ("type_id","id");
CREATE INDEX "activation_code_group_origin_id_i" ON "activation_code_group" USING btree ("origin_id","id");
CREATE INDEX "activation_code_group_status_i" ON "activation_code_group" USING btree ("status");
CREATE INDEX "activation_code_group_redeem_before_i" ON "activation_code_group" USING btree ("redeem_before");
CREATE INDEX "activation_code_group_deleted_i" ON "activation_code_group" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "activation_code_group_search_i" ON "activation_code_group" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "study_room_school_id_name_u" ON "study_room" USING btree ("school_id","name") WHERE deleted_at is null;
CREATE INDEX "study_room_school_id_i" ON "study_room" USING btree ("school_id","id");
CREATE INDEX "study_room_type_id_i" ON "study_room" USING btree ("type_id","id");
CREATE INDEX "study_room_deleted_i" ON "study_room" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "study_room_search_i" ON "study_room" USING gin (grams(coalesce("name", '')));
CREATE INDEX "paper_subject_id_i" ON "paper" USING btree ("subject_id","id");
CREATE INDEX "paper_kind_level_subject_id_i" ON "paper" USING btree ("kind","level","subject_id","id");
CREATE INDEX "paper_kind_subject_id_status_source_year_exam_region_id_i" ON "paper" USING btree ("kind","subject_id","status","source_year","exam_region_id");
CREATE INDEX "paper_deleted_i" ON "paper" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "paper_search_i" ON "paper" USING gin (grams(coalesce("name", '')));
CREATE INDEX "card_log_user_card_id_i" ON "card_log" USING btree ("user_card_id","id");
CREATE INDEX "card_log_member_id_i" ON "card_log" USING btree ("member_id","id");
CREATE INDEX "card_log_school_id_i" ON "card_log" USING btree ("school_id","id");
CREATE INDEX "card_log_order_no_i" ON "card_log" USING btree ("order_no");
CREATE INDEX "card_log_deleted_i" ON "card_log" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "chapter_partwork_id_i" ON "chapter" USING btree ("partwork_id","id");
CREATE INDEX "chapter_subject_id_i" ON "chapter" USING btree ("subject_id","id");
CREATE INDEX "chapter_parent_id_i" ON "chapter" USING btree ("parent_id","id");
CREATE INDEX "chapter_deleted_i" ON "chapter" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "day_closing_room_id_i" ON "day_closing" USING btree ("room_id","id");
CREATE INDEX "day_closing_school_id_i" ON "day_closing" USING btree ("school_id","id");
CREATE INDEX "day_closing_deleted_i" ON "day_closing" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE UNIQUE INDEX "entitlement_source_ref_u" ON "entitlement" USING btree ("source","ref") WHERE deleted_at is null;
CREATE INDEX "entitlement_user_id_i" ON "entitlement" USING btree ("user_id","id");
CREATE INDEX "entitlement_line_offer_id_status_expire_at_i" ON "entitlement" USING btree ("line","offer_id","status","expire_at");
CREATE INDEX "entitlement_expire_at_i" ON "entitlement" USING btree ("expire_at");
CREATE INDEX "entitlement_deleted_i" ON "entitlement" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "label_subject_id_i" ON "label" USING btree ("subject_id","id");
CREATE INDEX "label_parent_id_i" ON "label" USING btree ("parent_id","id");
CREATE INDEX "label_merged_into_i" ON "label" USING btree ("merged_into","id");
CREATE INDEX "label_kind_subject_id_parent_id_i" ON "label" USING btree ("kind","subject_id","parent_id");
CREATE INDEX "label_deleted_i" ON "label" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE UNIQUE INDEX "material_version_subject_id_name_u" ON "material_version" USING btree ("subject_id","name") WHERE deleted_at is null;
CREATE INDEX "material_version_subject_id_i" ON "material_version" USING btree ("subject_id","id");
CREATE INDEX "material_version_deleted_i" ON "material_version" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "material_version_search_i" ON "material_version" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "member_card_school_id_name_u" ON "member_card" USING btree ("school_id","name") WHERE deleted_at is null;
CREATE INDEX "member_card_school_id_i" ON "member_card" USING btree ("school_id","id");
CREATE INDEX "member_card_deleted_i" ON "member_card" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "member_card_search_i" ON "member_card" USING gin (grams(coalesce("name", '')));
CREATE INDEX "member_leave_member_id_i" ON "member_leave" USING btree ("member_id","id");
CREATE INDEX "member_leave_school_id_i" ON "member_leave" USING btree ("school_id","id");
CREATE INDEX "member_leave_member_id_from_at_i" ON "member_leave" USING btree ("member_id","from_at");
CREATE INDEX "member_leave_deleted_i" ON "member_leave" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "micro_lesson_subject_id_i" ON "micro_lesson" USING btree ("subject_id","id");
CREATE INDEX "micro_lesson_catalog_id_i" ON "micro_lesson" USING btree ("catalog_id","id");
CREATE INDEX "micro_lesson_level_subject_id_i" ON "micro_lesson" USING btree ("level","subject_id","id");
CREATE INDEX "micro_lesson_label_id_i" ON "micro_lesson" USING btree ("label_id","id");
CREATE INDEX "micro_lesson_deleted_i" ON "micro_lesson" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "micro_lesson_search_i" ON "micro_lesson" USING gin (grams(coalesce("name", '') || ' ' || coalesce("teacher", '')));
CREATE UNIQUE INDEX "pad_sn_u" ON "pad" USING btree ("sn") WHERE deleted_at is null;
CREATE INDEX "pad_room_id_i" ON "pad" USING btree ("room_id","id");
CREATE INDEX "pad_school_id_i" ON "pad" USING btree ("school_id","id");
CREATE INDEX "pad_seat_id_i" ON "pad" USING btree ("seat_id","id");
CREATE INDEX "pad_student_id_i" ON "pad" USING btree ("student_id","id");
CREATE INDEX "pad_member_id_i" ON "pad" USING btree ("member_id","id");
CREATE INDEX "pad_policy_id_i" ON "pad" USING btree ("policy_id","id");
CREATE INDEX "pad_status_i" ON "pad" USING btree ("status");
CREATE INDEX "pad_deleted_i" ON "pad" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "pad_search_i" ON "pad" USING gin (grams(coalesce("sn", '') || ' ' || coalesce("model", '')));
CREATE INDEX "pad_command_pad_id_i" ON "pad_command" USING btree ("pad_id","id");
CREATE INDEX "pad_command_school_id_i" ON "pad_command" USING btree ("school_id","id");
CREATE INDEX "pad_command_pad_id_status_i" ON "pad_command" USING btree ("pad_id","status","id");
CREATE INDEX "pad_command_status_expire_at_i" ON "pad_command" USING btree ("status","expire_at");
CREATE INDEX "pad_command_deleted_i" ON "pad_command" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE UNIQUE INDEX "pad_policy_name_u" ON "pad_policy" USING btree ("name") WHERE deleted_at is null;
CREATE INDEX "pad_policy_deleted_i" ON "pad_policy" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "pad_policy_search_i" ON "pad_policy" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "shipment_order_id_no_u" ON "shipment" USING btree ("order_id","no") WHERE deleted_at is null;
CREATE INDEX "shipment_order_id_i" ON "shipment" USING btree ("order_id","id");
CREATE INDEX "shipment_deleted_i" ON "shipment" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "shipment_search_i" ON "shipment" USING gin (grams(coalesce("no", '')));
CREATE UNIQUE INDEX "partwork_version_id_name_edition_year_u" ON "partwork" USING btree ("version_id","name","edition_year") WHERE deleted_at is null;
CREATE INDEX "partwork_version_id_i" ON "partwork" USING btree ("version_id","id");
CREATE INDEX "partwork_subject_id_i" ON "partwork" USING btree ("subject_id","id");
CREATE INDEX "partwork_deleted_i" ON "partwork" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "partwork_search_i" ON "partwork" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "practice_no_u" ON "practice" USING btree ("no") WHERE deleted_at is null;
CREATE INDEX "practice_subject_id_i" ON "practice" USING btree ("subject_id","id");
CREATE INDEX "practice_category_id_i" ON "practice" USING btree ("category_id","id");
CREATE INDEX "practice_pool_subject_id_i" ON "practice" USING btree ("pool","subject_id","id");
CREATE INDEX "practice_pool_level_i" ON "practice" USING btree ("pool","level","id");
CREATE INDEX "practice_pool_subject_id_type_difficulty_i" ON "practice" USING btree ("pool","subject_id","type","difficulty","id");
CREATE INDEX "practice_pool_subject_id_difficulty_i" ON "practice" USING btree ("pool","subject_id","difficulty","id");
CREATE INDEX "practice_pool_subject_id_owner_id_i" ON "practice" USING btree ("pool","subject_id","owner_id","id");
CREATE INDEX "practice_pool_subject_id_exam_region_id_i" ON "practice" USING btree ("pool","subject_id","exam_region_id","id");
CREATE INDEX "practice_pool_subject_id_has_analysis_i" ON "practice" USING btree ("pool","subject_id","has_analysis","id");
CREATE INDEX "practice_pool_subject_id_quality_i" ON "practice" USING btree ("pool","subject_id","quality","id");
CREATE INDEX "practice_pool_subject_id_use_count_i" ON "practice" USING btree ("pool","subject_id","use_count","id");
CREATE INDEX "practice_pool_subject_id_status_type_difficulty_i" ON "practice" USING btree ("pool","subject_id","status","type","difficulty","id");
CREATE INDEX "practice_pool_subject_id_updated_at_i" ON "practice" USING btree ("pool","subject_id","updated_at","id");
CREATE INDEX "practice_content_hash_i" ON "practice" USING btree ("content_hash");
CREATE INDEX "practice_origin_id_i" ON "practice" USING btree ("origin_id");
CREATE INDEX "practice_owner_id_status_i" ON "practice" USING btree ("owner_id","status");
CREATE INDEX "practice_assignee_id_status_i" ON "practice" USING btree ("assignee_id","status");
CREATE INDEX "practice_deleted_i" ON "practice" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "practice_search_i" ON "practice" USING gin ((grams(coalesce("search_text", '')) || ("pool"::text || ' ' || "subject_id"::text)));
CREATE UNIQUE INDEX "practice_category_subject_id_name_u" ON "practice_category" USING btree ("subject_id","name") WHERE deleted_at is null;
CREATE INDEX "practice_category_subject_id_i" ON "practice_category" USING btree ("subject_id","id");
CREATE INDEX "practice_category_deleted_i" ON "practice_category" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "practice_category_search_i" ON "practice_category" USING gin (grams(coalesce("name", '')));
CREATE INDEX "practice_report_subject_id_i" ON "practice_report" USING btree ("subject_id","id");
CREATE INDEX "practice_report_practice_id_status_i" ON "practice_report" USING btree ("practice_id","status");
CREATE INDEX "practice_report_status_i" ON "practice_report" USING btree ("status","id");
CREATE INDEX "practice_report_deleted_i" ON "practice_report" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "practice_report_search_i" ON "practice_report" USING gin (grams(coalesce("practice_no", '')));
CREATE UNIQUE INDEX "room_member_school_id_mobile_u" ON "room_member" USING btree ("school_id","mobile") WHERE deleted_at is null;
CREATE INDEX "room_member_mobile_i" ON "room_member" USING btree ("mobile","id");
CREATE INDEX "room_member_school_id_i" ON "room_member" USING btree ("school_id","id");
CREATE INDEX "room_member_school_id_last_in_at_i" ON "room_member" USING btree ("school_id","last_in_at");
CREATE INDEX "room_member_deleted_i" ON "room_member" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "room_member_search_i" ON "room_member" USING gin (grams(coalesce("name", '')));
CREATE INDEX "room_utility_room_id_i" ON "room_utility" USING btree ("room_id","id");
CREATE INDEX "room_utility_school_id_i" ON "room_utility" USING btree ("school_id","id");
CREATE INDEX "room_utility_deleted_i" ON "room_utility" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "seat_room_id_i" ON "seat" USING btree ("room_id","id");
CREATE INDEX "seat_school_id_i" ON "seat" USING btree ("school_id","id");
CREATE INDEX "seat_deleted_i" ON "seat" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "seat_search_i" ON "seat" USING gin (grams(coalesce("label", '')));
CREATE UNIQUE INDEX "user_card_card_no_u" ON "user_card" USING btree ("card_no") WHERE deleted_at is null;
CREATE INDEX "user_card_member_id_i" ON "user_card" USING btree ("member_id","id");
CREATE INDEX "user_card_card_id_i" ON "user_card" USING btree ("card_id","id");
CREATE INDEX "user_card_school_id_i" ON "user_card" USING btree ("school_id","id");
CREATE INDEX "user_card_status_expire_at_i" ON "user_card" USING btree ("status","expire_at");
CREATE INDEX "user_card_status_frozen_until_i" ON "user_card" USING btree ("status","frozen_until");
CREATE INDEX "user_card_deleted_i" ON "user_card" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "user_card_search_i" ON "user_card" USING gin (grams(coalesce("card_no", '')));
CREATE INDEX "visit_member_id_i" ON "visit" USING btree ("member_id","id");
CREATE INDEX "visit_room_id_i" ON "visit" USING btree ("room_id","id");
CREATE INDEX "visit_seat_id_i" ON "visit" USING btree ("seat_id","id");
CREATE INDEX "visit_user_card_id_i" ON "visit" USING btree ("user_card_id","id");
CREATE INDEX "visit_school_id_i" ON "visit" USING btree ("school_id","id");
CREATE INDEX "visit_room_id_in_at_i" ON "visit" USING btree ("room_id","in_at");
CREATE INDEX "visit_member_id_in_at_i" ON "visit" USING btree ("member_id","in_at");
CREATE INDEX "visit_deleted_i" ON "visit" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "smart_paper_subject_id_i" ON "smart_paper" USING btree ("subject_id","id");
CREATE INDEX "smart_paper_deleted_i" ON "smart_paper" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "smart_paper_search_i" ON "smart_paper" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "app_school_name_u" ON "app_school" USING btree ("name") WHERE deleted_at is null and ("self_run" = 1);
CREATE INDEX "partner_agent_id_i" ON "partner" USING btree ("agent_id","id");
CREATE INDEX "school_teacher_staff_id_i" ON "school_teacher" USING btree ("staff_id","id");
CREATE UNIQUE INDEX "app_school_partner_id_name_u" ON "app_school" USING btree ("partner_id","name") WHERE deleted_at is null and ("self_run" = 0);
create trigger audit_insert after insert on "orders" referencing new table as new_rows for each statement execute function audit('auditor_id', 'audited_at');
create trigger audit_update after update on "orders" referencing old table as old_rows new table as new_rows for each statement execute function audit('auditor_id', 'audited_at');
create trigger audit_delete after delete on "orders" referencing old table as old_rows for each statement execute function audit('auditor_id', 'audited_at');
create trigger audit_insert after insert on "activation_code" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "activation_code" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "activation_code" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "activation_code_group" referencing new table as new_rows for each statement execute function audit('used', 'left', 'cancelled', 'expired', 'frozen');
create trigger audit_update after update on "activation_code_group" referencing old table as old_rows new table as new_rows for each statement execute function audit('used', 'left', 'cancelled', 'expired', 'frozen');
create trigger audit_delete after delete on "activation_code_group" referencing old table as old_rows for each statement execute function audit('used', 'left', 'cancelled', 'expired', 'frozen');
create trigger audit_insert after insert on "study_room" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "study_room" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "study_room" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "paper" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "paper" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "paper" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "chapter" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "chapter" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "chapter" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "day_closing" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "day_closing" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "day_closing" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "entitlement" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "entitlement" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "entitlement" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "label" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "label" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "label" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "material_version" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "material_version" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "material_version" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "member_card" referencing new table as new_rows for each statement execute function audit('sold');
create trigger audit_update after update on "member_card" referencing old table as old_rows new table as new_rows for each statement execute function audit('sold');
create trigger audit_delete after delete on "member_card" referencing old table as old_rows for each statement execute function audit('sold');
create trigger audit_insert after insert on "member_leave" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "member_leave" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "member_leave" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "micro_lesson" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "micro_lesson" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "micro_lesson" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "pad" referencing new table as new_rows for each statement execute function audit('last_online_at', 'battery', 'free_gb', 'policy_version', 'lng', 'lat', 'located_at');
create trigger audit_update after update on "pad" referencing old table as old_rows new table as new_rows for each statement execute function audit('last_online_at', 'battery', 'free_gb', 'policy_version', 'lng', 'lat', 'located_at');
create trigger audit_delete after delete on "pad" referencing old table as old_rows for each statement execute function audit('last_online_at', 'battery', 'free_gb', 'policy_version', 'lng', 'lat', 'located_at');
create trigger audit_insert after insert on "pad_policy" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "pad_policy" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "pad_policy" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "shipment" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "shipment" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "shipment" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "partwork" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "partwork" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "partwork" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "practice" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "practice" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "practice" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "practice_category" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "practice_category" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "practice_category" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "practice_report" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "practice_report" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "practice_report" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "room_member" referencing new table as new_rows for each statement execute function audit('visit_cnt', 'total_minutes', 'last_in_at');
create trigger audit_update after update on "room_member" referencing old table as old_rows new table as new_rows for each statement execute function audit('visit_cnt', 'total_minutes', 'last_in_at');
create trigger audit_delete after delete on "room_member" referencing old table as old_rows for each statement execute function audit('visit_cnt', 'total_minutes', 'last_in_at');
create trigger audit_insert after insert on "room_utility" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "room_utility" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "room_utility" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "user_card" referencing new table as new_rows for each statement execute function audit('remaining');
create trigger audit_update after update on "user_card" referencing old table as old_rows new table as new_rows for each statement execute function audit('remaining');
create trigger audit_delete after delete on "user_card" referencing old table as old_rows for each statement execute function audit('remaining');
create trigger audit_insert after insert on "smart_paper" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "smart_paper" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "smart_paper" referencing old table as old_rows for each statement execute function audit();
create trigger keep before delete or update of "account_kind", "account_id", "at", "amount", "kind", "channel", "order_id" on "ledger" for each statement execute function refuse_change();
create trigger keep before delete or update of "order_id", "at", "staff_id", "action", "from_status", "to_status", "amount", "reason" on "order_log" for each statement execute function refuse_change();
create trigger keep before delete or update of "room_id", "school_id", "day", "shift", "expected", "counted", "difference", "lines", "last_entry" on "day_closing" for each statement execute function refuse_change();
