"""The errors of Azure Blob Storage: {code: (status, message)}."""

ERRORS = {
    "AppendPositionConditionNotMet": (412, "The append position condition specified was not met."),
    "AuthenticationFailed": (403, "Server failed to authenticate the request. Make sure the value "
                                  "of Authorization header is formed correctly including the "
                                  "signature."),
    "BlobAlreadyExists": (409, "The specified blob already exists."),
    "BlobNotFound": (404, "The specified blob does not exist."),
    "CannotVerifyCopySource": (404, "The specified blob does not exist."),
    "ConditionNotMet": (412, "The condition specified using HTTP conditional header(s) is not "
                              "met."),
    "ContainerAlreadyExists": (409, "The specified container already exists."),
    "ContainerBeingDeleted": (409, "The specified container is being deleted. Try operation "
                                   "later."),
    "ContainerNotFound": (404, "The specified container does not exist."),
    "InvalidBlobOrBlock": (400, "The specified blob or block content is invalid."),
    "InvalidBlobType": (409, "The blob type is invalid for this operation."),
    "InvalidBlockList": (400, "The specified block list is invalid."),
    "InvalidHeaderValue": (400, "The value for one of the HTTP headers is not in the correct "
                                "format."),
    "InvalidInput": (400, "One of the request inputs is not valid."),
    "InvalidMetadata": (400, "The specified metadata is invalid. It has characters that are not "
                             "permitted."),
    "InvalidQueryParameterValue": (400, "Value for one of the query parameters specified in the "
                                        "request URI is invalid."),
    "InvalidRange": (416, "The range specified is invalid for the current size of the resource."),
    "InvalidResourceName": (400, "The specified resource name contains invalid characters."),
    "InvalidUri": (400, "The requested URI does not represent any resource on the server."),
    "InvalidXmlDocument": (400, "XML specified is not syntactically valid."),
    "Md5Mismatch": (400, "The MD5 value specified in the request did not match with the MD5 value "
                         "calculated by the server."),
    "MissingContentLengthHeader": (411, "The Content-Length header was not specified."),
    "MissingRequiredHeader": (400, "An HTTP header that's mandatory for this request is not "
                                   "specified."),
    "MissingRequiredQueryParameter": (400, "A query parameter that's mandatory for this request is "
                                           "not specified."),
    "NoAuthenticationInformation": (401, "Server failed to authenticate the request. Please refer "
                                         "to the information in the www-authenticate header."),
    "NotImplemented": (501, "The requested operation is not implemented on the specified "
                            "resource."),
    "OutOfRangeQueryParameterValue": (400, "One of the query parameters specified in the request "
                                           "URI is outside the permissible range."),
    "ResourceNotFound": (404, "The specified resource does not exist."),
    "UnsupportedHttpVerb": (405, "The resource doesn't support specified Http Verb."),
}


class Refused(Exception):
    """The request is answered with this error."""

    def __init__(self, code, status=None):
        super().__init__(code)
        self.code = code
        self.status, self.message = ERRORS[code]
        self.status = status or self.status
