CREATE TABLE "partner_contact" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "partner_contact_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"partner_id" bigint NOT NULL,
	"staff_id" bigint NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"outcome" text NOT NULL,
	"note" text,
	"until" timestamp (0) with time zone,
	"reasons" jsonb NOT NULL
);

CREATE INDEX "partner_contact_partner_i" ON "partner_contact" USING btree ("partner_id","id");
