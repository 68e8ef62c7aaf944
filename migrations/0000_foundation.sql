CREATE TABLE "import_row" (
	"job_id" bigint NOT NULL,
	"row_number" integer NOT NULL,
	"state" text NOT NULL,
	"record_id" bigint NOT NULL,
	"values" jsonb NOT NULL,
	"reason" text,
	"before" jsonb,
	"rev" integer,
	CONSTRAINT "import_row_job_id_row_number_pk" PRIMARY KEY("job_id","row_number")
);

CREATE TABLE "credential" (
	"staff_id" bigint PRIMARY KEY NOT NULL,
	"password_hash" text,
	"former_hashes" text[] DEFAULT '{}' NOT NULL,
	"must_change" boolean DEFAULT true NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"totp_secret" text,
	"totp_confirmed" boolean DEFAULT false NOT NULL,
	"totp_step" bigint DEFAULT 0 NOT NULL,
	"recovery_hashes" text[] DEFAULT '{}' NOT NULL
);

CREATE TABLE "login_failure" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"locked_until" timestamp with time zone
);

CREATE TABLE "login_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "login_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"account" text NOT NULL,
	"staff_id" bigint,
	"method" text NOT NULL,
	"result" text NOT NULL,
	"ip" text,
	"user_agent" text
);

CREATE TABLE "login_step" (
	"key" text PRIMARY KEY NOT NULL,
	"body" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

CREATE TABLE "passkey" (
	"credential_id" text PRIMARY KEY NOT NULL,
	"staff_id" bigint NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint DEFAULT 0 NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp with time zone
);

CREATE TABLE "session" (
	"hash" text PRIMARY KEY NOT NULL,
	"staff_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ip" text,
	"user_agent" text,
	"verified_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "staff_module" (
	"staff_id" bigint NOT NULL,
	"module_id" integer NOT NULL,
	CONSTRAINT "staff_module_staff_id_module_id_pk" PRIMARY KEY("staff_id","module_id")
);

CREATE TABLE "staff_scope" (
	"staff_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"ref_id" bigint NOT NULL,
	CONSTRAINT "staff_scope_staff_id_kind_ref_id_pk" PRIMARY KEY("staff_id","kind","ref_id")
);

CREATE TABLE "client_error" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "client_error_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"fingerprint" text NOT NULL,
	"first_at" timestamp with time zone DEFAULT now() NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"staff_id" bigint,
	"message" text NOT NULL,
	"stack" text,
	"url" text,
	"release" text,
	"user_agent" text,
	"times" integer DEFAULT 1 NOT NULL
);

CREATE TABLE "preference" (
	"staff_id" bigint NOT NULL,
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "preference_staff_id_key_pk" PRIMARY KEY("staff_id","key")
);

CREATE TABLE "saved_view" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_view_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"staff_id" bigint NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"columns" jsonb,
	"shared" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "job" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "job_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"staff_id" bigint NOT NULL,
	"ip" text,
	"request_id" text,
	"status" text DEFAULT 'waiting' NOT NULL,
	"input" jsonb NOT NULL,
	"saved" jsonb,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer,
	"result" jsonb,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"runner" text,
	"beat_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"cancel_asked" boolean DEFAULT false NOT NULL
);

CREATE TABLE "file" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"staff_id" bigint NOT NULL,
	"grant_id" integer,
	"screens" integer[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone
);

CREATE TABLE "installation" (
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "installation_key_pk" PRIMARY KEY("key")
);

CREATE TABLE "request_once" (
	"key" text PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"result" jsonb,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"staff_id" bigint,
	"ip" text,
	"request_id" text,
	"action" text NOT NULL,
	"reason" text,
	"entity" text NOT NULL,
	"entity_id" bigint NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"job_id" bigint
);

CREATE TABLE "agent" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "agent_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"mobile" text NOT NULL,
	"type" integer NOT NULL,
	"parent_id" bigint,
	"region_code" text,
	"level_id" integer NOT NULL,
	"invite_code" text,
	"quota" bigint,
	"balance" bigint,
	"frozen" bigint,
	"withdrawn" bigint,
	"contract" text,
	"remark" text,
	"status" integer
);

CREATE TABLE "announcement" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "announcement_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"level" integer NOT NULL,
	"start_at" timestamp (0) with time zone,
	"end_at" timestamp (0) with time zone,
	"sort_order" bigint
);

CREATE TABLE "app_school" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "app_school_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"partner_id" bigint NOT NULL,
	"type_id" bigint NOT NULL,
	"region_code" text NOT NULL,
	"address" text NOT NULL,
	"lng" numeric,
	"lat" numeric,
	"manager" text NOT NULL,
	"mobile" text NOT NULL,
	"open_hours" text,
	"seat_cnt" bigint,
	"pad_cnt" bigint,
	"unit_ids" bigint[],
	"expire_at" timestamp (0) with time zone NOT NULL,
	"status" integer
);

CREATE TABLE "app_user" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "app_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"user_no" text NOT NULL,
	"mobile" text NOT NULL,
	"nickname" text NOT NULL,
	"real_name" text,
	"avatar" text,
	"gender" integer,
	"birthday" timestamp (0) with time zone,
	"role" integer NOT NULL,
	"grade" integer,
	"exam_year" bigint,
	"school" text,
	"region_code" text,
	"channel_id" bigint,
	"agent_id" bigint,
	"register_at" timestamp (0) with time zone,
	"last_login_at" timestamp (0) with time zone,
	"wechat_bound" integer,
	"tags" text[],
	"remark" text,
	"merged_into_id" bigint,
	"status" integer
);

CREATE TABLE "channel" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "channel_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"kind" integer NOT NULL,
	"cost" bigint,
	"remark" text
);

CREATE TABLE "partner" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "partner_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"contact" text NOT NULL,
	"mobile" text NOT NULL,
	"region_code" text NOT NULL,
	"address" text,
	"level" integer NOT NULL,
	"type_id" bigint NOT NULL,
	"contract_no" text,
	"contract_file" text,
	"sign_at" timestamp (0) with time zone NOT NULL,
	"expire_at" timestamp (0) with time zone NOT NULL,
	"deposit" bigint,
	"service_fee" bigint,
	"exchange_service_fee" bigint,
	"code_quota" bigint,
	"used_quota" bigint,
	"balance" bigint,
	"pad_cnt" bigint,
	"owner_id" bigint,
	"status" integer,
	"remark" text
);

CREATE TABLE "role_template" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "role_template_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"modules" jsonb NOT NULL,
	"remark" text
);

CREATE TABLE "room_type" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "room_type_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"type" text NOT NULL,
	"desc" text NOT NULL,
	"service_fee" bigint NOT NULL,
	"exchange_service_fee" bigint NOT NULL,
	"pad_cnt" bigint NOT NULL,
	"remark" text
);

CREATE TABLE "school_cell" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "school_cell_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"school_id" bigint NOT NULL,
	"name" text NOT NULL,
	"grade" integer NOT NULL,
	"capacity" bigint
);

CREATE TABLE "school_student" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "school_student_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"mobile" text NOT NULL,
	"parent_mobile" text,
	"student_no" text,
	"gender" integer,
	"school_id" bigint NOT NULL,
	"grade" integer NOT NULL,
	"cell_id" bigint,
	"teacher_id" bigint,
	"unit_ids" bigint[],
	"start_at" timestamp (0) with time zone,
	"expire_at" timestamp (0) with time zone,
	"last_study_at" timestamp (0) with time zone,
	"week_minutes" bigint,
	"status" integer
);

CREATE TABLE "school_teacher" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "school_teacher_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"mobile" text NOT NULL,
	"school_id" bigint NOT NULL,
	"role" integer NOT NULL,
	"subjects" text[],
	"cell_ids" bigint[],
	"status" integer
);

CREATE TABLE "staff" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "staff_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"account" text NOT NULL,
	"name" text NOT NULL,
	"mobile" text NOT NULL,
	"avatar" text,
	"department" text,
	"position" text,
	"role" text NOT NULL,
	"introduction" text,
	"two_factor" integer,
	"last_login_at" timestamp (0) with time zone,
	"status" integer
);

CREATE TABLE "subject" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "subject_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"level" integer NOT NULL,
	"root_label_id" bigint,
	"ebook_only" integer NOT NULL,
	"sort" bigint
);

CREATE TABLE "unit" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "unit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rev" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"updated_by" bigint,
	"updated_at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (0) with time zone,
	"name" text NOT NULL,
	"subjects" text[] NOT NULL,
	"months" bigint NOT NULL,
	"sort" bigint,
	"status" integer NOT NULL
);

CREATE INDEX "login_log_staff_i" ON "login_log" USING btree ("staff_id","id");
CREATE INDEX "login_log_account_i" ON "login_log" USING btree ("account","at");
CREATE INDEX "login_log_ip_i" ON "login_log" USING btree ("ip","at");
CREATE INDEX "passkey_staff_i" ON "passkey" USING btree ("staff_id");
CREATE INDEX "session_staff_i" ON "session" USING btree ("staff_id");
CREATE UNIQUE INDEX "client_error_fingerprint_u" ON "client_error" USING btree ("fingerprint");
CREATE INDEX "client_error_at_i" ON "client_error" USING btree ("at");
CREATE INDEX "saved_view_list_i" ON "saved_view" USING btree ("list");
CREATE UNIQUE INDEX "saved_view_name_u" ON "saved_view" USING btree ("staff_id","list","name");
CREATE INDEX "job_staff_i" ON "job" USING btree ("staff_id","id");
CREATE INDEX "job_open_i" ON "job" USING btree ("status","id") WHERE status in ('waiting', 'running');
CREATE INDEX "file_staff_i" ON "file" USING btree ("staff_id");
CREATE INDEX "file_expires_i" ON "file" USING btree ("expires_at");
CREATE INDEX "audit_log_entity_i" ON "audit_log" USING btree ("entity","entity_id","id");
CREATE INDEX "audit_log_staff_i" ON "audit_log" USING btree ("staff_id","at");
CREATE INDEX "audit_log_at_i" ON "audit_log" USING btree ("at");
CREATE INDEX "audit_log_job_i" ON "audit_log" USING btree ("job_id","id") WHERE job_id is not null;
CREATE UNIQUE INDEX "agent_mobile_u" ON "agent" USING btree ("mobile") WHERE deleted_at is null;
CREATE UNIQUE INDEX "agent_invite_code_u" ON "agent" USING btree ("invite_code") WHERE deleted_at is null;
CREATE INDEX "agent_parent_id_i" ON "agent" USING btree ("parent_id","id");
CREATE INDEX "agent_status_i" ON "agent" USING btree ("status");
CREATE INDEX "agent_deleted_i" ON "agent" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "agent_search_i" ON "agent" USING gin (grams(coalesce("name", '') || ' ' || coalesce("invite_code", '')));
CREATE INDEX "announcement_deleted_i" ON "announcement" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "announcement_search_i" ON "announcement" USING gin (grams(coalesce("title", '')));
CREATE UNIQUE INDEX "app_school_partner_id_name_u" ON "app_school" USING btree ("partner_id","name") WHERE deleted_at is null;
CREATE INDEX "app_school_partner_id_i" ON "app_school" USING btree ("partner_id","id");
CREATE INDEX "app_school_type_id_i" ON "app_school" USING btree ("type_id","id");
CREATE INDEX "app_school_mobile_i" ON "app_school" USING btree ("mobile","id");
CREATE INDEX "app_school_status_i" ON "app_school" USING btree ("status");
CREATE INDEX "app_school_deleted_i" ON "app_school" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "app_school_search_i" ON "app_school" USING gin (grams(coalesce("name", '') || ' ' || coalesce("manager", '')));
CREATE UNIQUE INDEX "app_user_user_no_u" ON "app_user" USING btree ("user_no") WHERE deleted_at is null;
CREATE UNIQUE INDEX "app_user_mobile_u" ON "app_user" USING btree ("mobile") WHERE deleted_at is null;
CREATE INDEX "app_user_channel_id_i" ON "app_user" USING btree ("channel_id","id");
CREATE INDEX "app_user_agent_id_i" ON "app_user" USING btree ("agent_id","id");
CREATE INDEX "app_user_merged_into_id_i" ON "app_user" USING btree ("merged_into_id","id");
CREATE INDEX "app_user_status_i" ON "app_user" USING btree ("status");
CREATE INDEX "app_user_register_at_i" ON "app_user" USING btree ("register_at");
CREATE INDEX "app_user_deleted_i" ON "app_user" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "app_user_search_i" ON "app_user" USING gin (grams(coalesce("user_no", '') || ' ' || coalesce("nickname", '') || ' ' || coalesce("real_name", '') || ' ' || coalesce("school", '')));
CREATE UNIQUE INDEX "channel_name_u" ON "channel" USING btree ("name") WHERE deleted_at is null;
CREATE INDEX "channel_deleted_i" ON "channel" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "channel_search_i" ON "channel" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "partner_mobile_u" ON "partner" USING btree ("mobile") WHERE deleted_at is null;
CREATE INDEX "partner_type_id_i" ON "partner" USING btree ("type_id","id");
CREATE INDEX "partner_owner_id_i" ON "partner" USING btree ("owner_id","id");
CREATE INDEX "partner_status_i" ON "partner" USING btree ("status");
CREATE INDEX "partner_expire_at_i" ON "partner" USING btree ("expire_at");
CREATE INDEX "partner_deleted_i" ON "partner" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "partner_search_i" ON "partner" USING gin (grams(coalesce("name", '') || ' ' || coalesce("contact", '') || ' ' || coalesce("contract_no", '')));
CREATE UNIQUE INDEX "role_template_name_u" ON "role_template" USING btree ("name") WHERE deleted_at is null;
CREATE INDEX "role_template_deleted_i" ON "role_template" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "role_template_search_i" ON "role_template" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "room_type_type_u" ON "room_type" USING btree ("type") WHERE deleted_at is null;
CREATE INDEX "room_type_deleted_i" ON "room_type" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE UNIQUE INDEX "school_cell_school_id_name_u" ON "school_cell" USING btree ("school_id","name") WHERE deleted_at is null;
CREATE INDEX "school_cell_school_id_i" ON "school_cell" USING btree ("school_id","id");
CREATE INDEX "school_cell_deleted_i" ON "school_cell" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "school_cell_search_i" ON "school_cell" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "school_student_school_id_student_no_u" ON "school_student" USING btree ("school_id","student_no") WHERE deleted_at is null;
CREATE UNIQUE INDEX "school_student_school_id_mobile_u" ON "school_student" USING btree ("school_id","mobile") WHERE deleted_at is null;
CREATE INDEX "school_student_mobile_i" ON "school_student" USING btree ("mobile","id");
CREATE INDEX "school_student_parent_mobile_i" ON "school_student" USING btree ("parent_mobile","id");
CREATE INDEX "school_student_school_id_i" ON "school_student" USING btree ("school_id","id");
CREATE INDEX "school_student_cell_id_i" ON "school_student" USING btree ("cell_id","id");
CREATE INDEX "school_student_teacher_id_i" ON "school_student" USING btree ("teacher_id","id");
CREATE INDEX "school_student_school_id_status_i" ON "school_student" USING btree ("school_id","status");
CREATE INDEX "school_student_status_i" ON "school_student" USING btree ("status");
CREATE INDEX "school_student_expire_at_i" ON "school_student" USING btree ("expire_at");
CREATE INDEX "school_student_deleted_i" ON "school_student" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "school_student_search_i" ON "school_student" USING gin (grams(coalesce("name", '') || ' ' || coalesce("student_no", '')));
CREATE UNIQUE INDEX "school_teacher_mobile_u" ON "school_teacher" USING btree ("mobile") WHERE deleted_at is null;
CREATE INDEX "school_teacher_school_id_i" ON "school_teacher" USING btree ("school_id","id");
CREATE INDEX "school_teacher_deleted_i" ON "school_teacher" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "school_teacher_search_i" ON "school_teacher" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "staff_account_u" ON "staff" USING btree ("account") WHERE deleted_at is null;
CREATE UNIQUE INDEX "staff_mobile_u" ON "staff" USING btree ("mobile") WHERE deleted_at is null;
CREATE INDEX "staff_deleted_i" ON "staff" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "staff_search_i" ON "staff" USING gin (grams(coalesce("account", '') || ' ' || coalesce("name", '') || ' ' || coalesce("department", '')));
CREATE UNIQUE INDEX "subject_level_name_u" ON "subject" USING btree ("level","name") WHERE deleted_at is null;
CREATE INDEX "subject_deleted_i" ON "subject" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "subject_search_i" ON "subject" USING gin (grams(coalesce("name", '')));
CREATE UNIQUE INDEX "unit_name_u" ON "unit" USING btree ("name") WHERE deleted_at is null;
CREATE INDEX "unit_deleted_i" ON "unit" USING btree ("deleted_at","id") WHERE deleted_at is not null;
CREATE INDEX "unit_search_i" ON "unit" USING gin (grams(coalesce("name", '')));
create trigger audit_insert after insert on "agent" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "agent" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "agent" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "announcement" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "announcement" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "announcement" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "app_school" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "app_school" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "app_school" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "app_user" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "app_user" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "app_user" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "channel" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "channel" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "channel" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "partner" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "partner" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "partner" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "role_template" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "role_template" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "role_template" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "room_type" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "room_type" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "room_type" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "school_cell" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "school_cell" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "school_cell" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "school_student" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "school_student" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "school_student" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "school_teacher" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "school_teacher" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "school_teacher" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "staff" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "staff" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "staff" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "subject" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "subject" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "subject" referencing old table as old_rows for each statement execute function audit();
create trigger audit_insert after insert on "unit" referencing new table as new_rows for each statement execute function audit();
create trigger audit_update after update on "unit" referencing old table as old_rows new table as new_rows for each statement execute function audit();
create trigger audit_delete after delete on "unit" referencing old table as old_rows for each statement execute function audit();
