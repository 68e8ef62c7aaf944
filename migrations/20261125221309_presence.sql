CREATE TABLE "presence" (
	"entity" text NOT NULL,
	"entity_id" bigint NOT NULL,
	"staff_id" bigint NOT NULL,
	"at" timestamp (0) with time zone DEFAULT now() NOT NULL,
	"writes" boolean DEFAULT false NOT NULL,
	CONSTRAINT "presence_entity_entity_id_staff_id_pk" PRIMARY KEY("entity","entity_id","staff_id")
);

