use openapi::apis::configuration::Configuration;
use openapi::apis::{csv_import_api, onboarding_checklists_api, rate_limits_api};
use openapi::models::{CheckRequest, RecordEventRequest, SubjectCohort, record_event_request::SchemaVersion};

#[tokio::main]
async fn main() {
    let name = variable("NAME");

    let check = CheckRequest::new("generators".into(), name.clone(), 3_600_000, 100);
    let answer = rate_limits_api::check(&with("LIMITER_KEY"), check, None).await.unwrap();

    let event = RecordEventRequest::new(
        SchemaVersion::Variant20260907, name, variable("SUBJECT"), SubjectCohort::Test, "first".into(),
    );
    let recorded = onboarding_checklists_api::record_event(
        &with("PROJECT"), &variable("INSTALLATION_ID"), &variable("CHECKLIST_ID"), event,
    ).await.unwrap();

    let uploaded = csv_import_api::upload_import_source(
        &with("UPLOAD_TOKEN"), &variable("IMPORT_ID"), variable("FILE").into(), None,
    ).await.unwrap();

    let decision = answer.data;
    let received_at = recorded.received_at.timestamp_millis();
    println!("{} {} {} {} {}", decision.allowed, decision.reset_at, recorded.event_id, received_at, uploaded.byte_length);
}

fn with(credential: &str) -> Configuration {
    Configuration {
        base_path: variable("SVC_URL"),
        bearer_access_token: Some(variable(credential)),
        ..Configuration::new()
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap()
}
