CREATE TABLE "user_credential" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL,
	"once" boolean NOT NULL,
	"expires_at" timestamp with time zone,
	"used_at" timestamp with time zone,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE "app_user" ADD COLUMN "sessions_ended_at" timestamp (0) with time zone;
