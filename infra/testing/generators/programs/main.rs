use openapi::apis::configuration::Configuration;
use openapi::apis::{csv_import_api, onboarding_checklists_api, rate_limits_api};
use openapi::models::{CheckRequest, RecordEventRequest, SubjectCohort, record_event_request::SchemaVersion};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

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
        &sending("text/csv", with("UPLOAD_TOKEN")), &variable("IMPORT_ID"), variable("FILE").into(), None,
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

// The generated code sends a file without its type.
fn sending(media_type: &'static str, configuration: Configuration) -> Configuration {
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media_type))]);
    let client = reqwest::Client::builder().default_headers(headers).build().unwrap();
    Configuration { client, ..configuration }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap()
}
